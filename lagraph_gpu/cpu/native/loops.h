// The compiled loops of the CPU backend, as Python calls them. This file is read by the C++ compiler
// and by cffi, so it holds plain C declarations only.
//
// An array is a pointer and, after it, its size. An `int` says which type the elements of the arrays
// behind `void *` after it have, as an `Element`. A row is the range of entries between two row
// offsets. Where there is one value for all entries, the array of values has size 1.
//
// `watch` is two numbers. A loop ends soon after the first is no longer 0, and its result is then
// worth nothing; it writes to the second how many of its steps are done. A loop returns what its
// comment says, or a failure.

enum Element { FP32, FP64, INT32, INT64, UINT64 };

// How many processes can meet at a barrier.
enum { MOST_PROCESSES = 4096 };

enum Failure {
  NO_MEMORY = -1,   // there was no memory for the loop
  ASYMMETRIC = -2,  // rows of an undirected graph are not symmetric: somebody has changed them
  BROKEN = -3,      // one of the processes that meet in the loop has given up
  DEEP = -4,        // a search is deep: it had few entries after so many rounds
  NO_FOREST = -5,   // a distance is too large, or no edge from a nearer vertex explains it
  WRONG_TYPE = -6   // the loop has no elements of this type
};

// The pattern of compressed rows: row offsets and columns. Rows that are not known have no offsets.
typedef struct {
  const int64_t *begins;
  int64_t begins_size;
  const int32_t *columns;
  int64_t columns_size;
} CompressedRows;

// Where the processes of one host meet in a loop. `memory` is a window of each process, one after
// another; a barrier is at its beginning. The graph has n vertices, of which process `rank` of so
// many `parts` has every `parts`-th. Processes that wait longer than `patience` milliseconds give up.
typedef struct {
  uint8_t *memory;
  int64_t memory_size;
  int64_t n, parts, rank, epoch, patience;
} Meeting;

// A search is deep that has fewer than so many entries in so many rounds.
typedef struct {
  int64_t rounds, entries;
} Depth;

// --- searches (searches.cpp) ---------------------------------------------------------------------
// 1 if this frontier should be pulled, else 0.
int64_t pulls(int64_t edges, int64_t edges_left, int64_t frontier, int64_t n, int64_t alpha);
// A breadth-first search from several sources, of at most `max_level` levels. It writes the level and
// the predecessor of each vertex, the vertices in the order of the search to `queue`, and to
// `at_rest` whether the frontier became empty. The result is the number of vertices in `queue`.
int64_t bfs(const int64_t *begins, int64_t begins_size, const int32_t *columns,
            int64_t columns_size, const int64_t *back, int64_t back_size, const int32_t *across,
            int64_t across_size, int64_t alpha, const int64_t *sources, int64_t sources_size,
            int64_t max_level, int32_t *level, int64_t level_size, int32_t *before,
            int64_t before_size, int32_t *queue, int64_t queue_size, _Bool *at_rest,
            int64_t at_rest_size, int64_t *watch, int64_t watch_size);
// Such a search that only writes levels and predecessors: the queue lies in `level` until the end.
// The result is the number of vertices reached.
int64_t levels_from(const int64_t *begins, int64_t begins_size, const int32_t *columns,
                    int64_t columns_size, const int64_t *back, int64_t back_size,
                    const int32_t *across, int64_t across_size, int64_t alpha,
                    const int64_t *sources, int64_t sources_size, int64_t max_level,
                    int32_t *level, int64_t level_size, int64_t *before, int64_t before_size,
                    int64_t *watch, int64_t watch_size);
// A breadth-first search for each row from `first` on. The result is the row at which the room for
// entries was used up, or the number of rows.
int64_t bfs_rows(const int64_t *begins, int64_t begins_size, const int32_t *columns,
                 int64_t columns_size, const int64_t *back, int64_t back_size,
                 const int32_t *across, int64_t across_size, int64_t alpha, const int64_t *starts,
                 int64_t starts_size, const int64_t *sources, int64_t sources_size,
                 int64_t max_level, int64_t origins, int64_t first, int64_t *ends,
                 int64_t ends_size, int32_t *vertex, int64_t vertex_size, int32_t *level,
                 int64_t level_size, int64_t *before, int64_t before_size, _Bool *at_rest,
                 int64_t at_rest_size, int64_t *watch, int64_t watch_size);
int64_t brandes(const int64_t *begins, int64_t begins_size, const int32_t *columns,
                int64_t columns_size, const int64_t *sources, int64_t sources_size,
                const double *counts, int64_t counts_size, int64_t endpoints, double *dependency,
                int64_t dependency_size, int64_t *watch, int64_t watch_size);
// The number of vertices found.
int64_t fifo_level(const int64_t *begins, int64_t begins_size, const int32_t *columns,
                   int64_t columns_size, const int64_t *places, int64_t places_size,
                   const int64_t *frontier, int64_t frontier_size, _Bool *seen, int64_t seen_size,
                   int64_t *found, int64_t found_size, int64_t *found_by, int64_t found_by_size);
int64_t inherit(const int32_t *queue, int64_t queue_size, const int32_t *before,
                int64_t before_size, uint8_t *held, int64_t held_size, int64_t item);
int64_t dijkstra(int type, const int64_t *begins, int64_t begins_size, const int32_t *columns,
                 int64_t columns_size, const void *lengths, int64_t lengths_size,
                 const int64_t *sources, int64_t sources_size, double limit, void *distance,
                 int64_t distance_size, int64_t *watch, int64_t watch_size);
// The number of vertices reached.
int64_t dijkstra_tree(int type, const int64_t *begins, int64_t begins_size, const int32_t *columns,
                      int64_t columns_size, const void *lengths, int64_t lengths_size,
                      int64_t source, double limit, void *distance, int64_t distance_size,
                      int64_t *parent, int64_t parent_size, int64_t *watch, int64_t watch_size);
// The number of vertices in the frontier after the last round.
int64_t bellman_ford(int type, const int64_t *begins, int64_t begins_size, const int32_t *columns,
                     int64_t columns_size, const void *lengths, int64_t lengths_size,
                     void *distance, int64_t distance_size, int32_t *frontier,
                     int64_t frontier_size, int64_t count, int64_t first, int64_t last,
                     int64_t *changed, int64_t changed_size, int64_t *watch, int64_t watch_size);
int64_t tight_parents(int type, const int64_t *begins, int64_t begins_size, const int32_t *columns,
                      int64_t columns_size, const void *lengths, int64_t lengths_size,
                      const void *distance, int64_t distance_size, const _Bool *known,
                      int64_t known_size, int64_t *parent, int64_t parent_size, int64_t *watch,
                      int64_t watch_size);

// --- one path between two vertices (point_to_point.cpp) --------------------------------------------
// The number of vertices of the path, or 0.
int64_t path_of_hops(const int64_t *begins, int64_t begins_size, const int32_t *columns,
                     int64_t columns_size, const int64_t *back, int64_t back_size,
                     const int32_t *across, int64_t across_size, int64_t source, int64_t target,
                     int64_t most, int32_t *path, int64_t path_size, int64_t *watch,
                     int64_t watch_size);
int64_t path_of_lengths(int type, const int64_t *begins, int64_t begins_size,
                        const int32_t *columns, int64_t columns_size, const void *lengths,
                        int64_t lengths_size, const int64_t *back, int64_t back_size,
                        const int32_t *across, int64_t across_size, const void *lengths_across,
                        int64_t lengths_across_size, int64_t source, int64_t target, double limit,
                        double least, double rounding, int32_t *path, int64_t path_size,
                        double *found, int64_t found_size, int64_t *watch, int64_t watch_size);
int64_t path_by_bounds(int type, const int64_t *begins, int64_t begins_size, const int32_t *columns,
                       int64_t columns_size, const void *lengths, int64_t lengths_size,
                       const double *bounds, int64_t bounds_size, double reach, int64_t source,
                       int64_t target, double limit, int32_t *path, int64_t path_size,
                       double *found, int64_t found_size, int64_t *watch, int64_t watch_size);

// --- components and spanning forests (union_find.cpp) ----------------------------------------------
int64_t connected_components(const int64_t *begins, int64_t begins_size, const int32_t *columns,
                             int64_t columns_size, int64_t symmetric, int64_t *parent,
                             int64_t parent_size, int64_t *watch, int64_t watch_size);
int64_t connected_parts(const int64_t *begins, int64_t begins_size, const int32_t *columns,
                        int64_t columns_size, const int32_t *label, int64_t label_size,
                        int64_t *parent, int64_t parent_size, int64_t *watch, int64_t watch_size);
int64_t join_own_rows(const int64_t *begins, int64_t begins_size, const int32_t *columns,
                      int64_t columns_size, int64_t parts, int64_t rank, int64_t first,
                      int64_t last, int64_t skipped, int64_t *label, int64_t label_size);
int64_t join_pairs(const int32_t *one, int64_t one_size, const int32_t *other,
                   int64_t other_size, int64_t *label, int64_t label_size);
int64_t spanning_forest(const int64_t *begins, int64_t begins_size, const int32_t *columns,
                        int64_t columns_size, _Bool *chosen, int64_t chosen_size, int64_t *watch,
                        int64_t watch_size);
int64_t boruvka(int type, const int64_t *begins, int64_t begins_size, const int32_t *columns,
                int64_t columns_size, const void *weights, int64_t weights_size, int64_t heaviest,
                _Bool *chosen, int64_t chosen_size, int64_t *watch, int64_t watch_size);
// The number of entries that are marked.
int64_t marked_rows(const int64_t *begins, int64_t begins_size, const int32_t *columns,
                    int64_t columns_size, const uint8_t *values, int64_t values_size, int64_t item,
                    const _Bool *chosen, int64_t chosen_size, int64_t *offsets,
                    int64_t offsets_size, int32_t *kept, int64_t kept_size, uint8_t *held,
                    int64_t held_size);
int64_t strong_components(const int64_t *begins, int64_t begins_size, const int32_t *columns,
                          int64_t columns_size, int64_t *label, int64_t label_size, int64_t *watch,
                          int64_t watch_size);

// --- communities (modularity.cpp, refinement.cpp, label_argmax.cpp) ---------------------------------
int64_t refine(const int64_t *begins, int64_t begins_size, const int32_t *columns,
               int64_t columns_size, const double *values, int64_t values_size,
               const int32_t *label, int64_t label_size, const uint8_t *turn, int64_t turn_size,
               int64_t count, const double *degree, int64_t degree_size, const double *scale,
               int64_t scale_size, double gamma, double min_gain, int32_t *part,
               int64_t part_size, int64_t *watch, int64_t watch_size);
int64_t community_sums(const int64_t *begins, int64_t begins_size, const int32_t *columns,
                       int64_t columns_size, const double *values, int64_t values_size,
                       double factor, int64_t twice, const int32_t *label,
                       int64_t label_size, double *leaving, int64_t leaving_size, double *entering,
                       int64_t entering_size, double *sums, int64_t sums_size, int64_t *watch,
                       int64_t watch_size);
int64_t label_argmax(int type, const int64_t *begins, int64_t begins_size, const int32_t *columns,
                     int64_t columns_size, const void *votes, int64_t votes_size,
                     const int32_t *label, int64_t label_size, void *top, int64_t top_size,
                     int64_t *best, int64_t best_size, int64_t *watch, int64_t watch_size);

// --- greedy passes and triangles (greedy.cpp, triangles.cpp) ------------------------------------------
int64_t greedy_set(const int64_t *begins, int64_t begins_size, const int32_t *columns,
                   int64_t columns_size, const int64_t *order, int64_t order_size, _Bool *chosen,
                   int64_t chosen_size, int64_t *watch, int64_t watch_size);
int64_t first_fit(const int64_t *begins, int64_t begins_size, const int32_t *columns,
                  int64_t columns_size, const int64_t *order, int64_t order_size, int64_t *color,
                  int64_t color_size, int64_t *watch, int64_t watch_size);
int64_t suitor_matching(const int64_t *begins, int64_t begins_size, const int32_t *columns,
                        int64_t columns_size, const int64_t *rank, int64_t rank_size,
                        uint64_t factor, int64_t *mate, int64_t mate_size, int64_t *watch,
                        int64_t watch_size);
// The number of words of all bitmaps, or ASYMMETRIC.
int64_t higher_ends(const int64_t *begins, int64_t begins_size, const int32_t *columns,
                    int64_t columns_size, int64_t *ends, int64_t ends_size, int32_t *high,
                    int64_t high_size, int32_t *rank, int64_t rank_size, int64_t *place,
                    int64_t place_size);
int64_t row_bitmaps(const int64_t *ends, int64_t ends_size, const int32_t *high,
                    int64_t high_size, const int32_t *rank, int64_t rank_size,
                    const int64_t *place, int64_t place_size, uint64_t *bitmaps,
                    int64_t bitmaps_size);
// The number of triangles.
int64_t triangles_of(const int64_t *ends, int64_t ends_size, const int32_t *high,
                     int64_t high_size, const int32_t *rank, int64_t rank_size,
                     const int64_t *place, int64_t place_size, const uint64_t *bitmaps,
                     int64_t bitmaps_size, int64_t first, int64_t last, int64_t *at,
                     int64_t at_size, int64_t *watch, int64_t watch_size);

// --- depth-first search (depth_first.cpp) -----------------------------------------------------------
// The number of vertices discovered.
int64_t depth_first(const int64_t *begins, int64_t begins_size, const int32_t *columns,
                    int64_t columns_size, int64_t source, int64_t *discovery,
                    int64_t discovery_size, int64_t *parent, int64_t parent_size, int64_t *finish,
                    int64_t finish_size, int64_t *watch, int64_t watch_size);

// --- bipartite graphs (bipartite.cpp) ---------------------------------------------------------------
// 0 if there is a cycle of odd length.
int64_t two_sides(const int64_t *begins, int64_t begins_size, const int32_t *columns,
                  int64_t columns_size, int64_t *side, int64_t side_size, int64_t *watch,
                  int64_t watch_size);

// --- random walks (random_walks.cpp) -----------------------------------------------------------------
int64_t walk(const int64_t *begins, int64_t begins_size, const int32_t *columns,
             int64_t columns_size, const double *sums, int64_t sums_size, const double *draws,
             int64_t draws_size, int64_t drawn, const int64_t *walker, int64_t walker_size,
             const int64_t *start, int64_t start_size, int64_t *path, int64_t path_size,
             int64_t *taken, int64_t taken_size);

// --- searches in step (searches_together.cpp) --------------------------------------------------------
// `room` holds zeros: three times so many words (1, 4 or 8) for each vertex, whose bits are searches.
int64_t nearby_order(const int64_t *begins, int64_t begins_size, const int32_t *columns,
                     int64_t columns_size, const int64_t *sources, int64_t sources_size,
                     int64_t batch, int64_t *order, int64_t order_size, int64_t *watch,
                     int64_t watch_size);
int64_t depths_of_searches(const int64_t *begins, int64_t begins_size, const int32_t *columns,
                           int64_t columns_size, const int64_t *back, int64_t back_size,
                           const int32_t *across, int64_t across_size, const int64_t *sources,
                           int64_t sources_size, int64_t words, uint64_t *room, int64_t room_size,
                           int32_t *farthest, int64_t farthest_size, int64_t *watch,
                           int64_t watch_size);
int64_t sums_of_searches(const int64_t *begins, int64_t begins_size, const int32_t *columns,
                         int64_t columns_size, const int64_t *back, int64_t back_size,
                         const int32_t *across, int64_t across_size, const int64_t *sources,
                         int64_t sources_size, int64_t words, uint64_t *room, int64_t room_size,
                         int64_t *others, int64_t others_size, int64_t *farness,
                         int64_t farness_size, double *nearness, int64_t nearness_size,
                         int64_t *watch, int64_t watch_size);
int64_t totals_of_searches(const int64_t *begins, int64_t begins_size, const int32_t *columns,
                           int64_t columns_size, const int64_t *back, int64_t back_size,
                           const int32_t *across, int64_t across_size, const int64_t *sources,
                           int64_t sources_size, int64_t words, uint64_t *room, int64_t room_size,
                           int64_t *others, int64_t others_size, int64_t *farness,
                           int64_t farness_size, int64_t *watch, int64_t watch_size);

// --- peeling, topological orders and trusses (peeling.cpp, truss.cpp) -------------------------------
int64_t peel(const int64_t *begins, int64_t begins_size, const int32_t *columns,
             int64_t columns_size, const int64_t *amounts, int64_t amounts_size, _Bool *stays,
             int64_t stays_size, int64_t *left, int64_t left_size, int64_t *watch,
             int64_t watch_size);
int64_t neighbor_counts(const int64_t *begins, int64_t begins_size, const int32_t *columns,
                        int64_t columns_size, int64_t *count, int64_t count_size);
// The number of vertices in `queue`.
int64_t longest_paths(int type, const int64_t *begins, int64_t begins_size, const int32_t *columns,
                      int64_t columns_size, const void *lengths, int64_t lengths_size,
                      void *longest, int64_t longest_size, int32_t *queue, int64_t queue_size,
                      int64_t *watch, int64_t watch_size);
// 0, or ASYMMETRIC.
int64_t oriented_edges(const int64_t *begins, int64_t begins_size, const int32_t *columns,
                       int64_t columns_size, int64_t *ends, int64_t ends_size, int32_t *low,
                       int64_t low_size, int32_t *high, int64_t high_size, int32_t *number,
                       int64_t number_size);
int64_t edge_supports(const int64_t *ends, int64_t ends_size, const int32_t *high,
                      int64_t high_size, int64_t first, int64_t last, int32_t *support,
                      int64_t support_size, int64_t *watch, int64_t watch_size);
int64_t truss_edges(const int64_t *begins, int64_t begins_size, const int32_t *columns,
                    int64_t columns_size, const int32_t *number, int64_t number_size,
                    const int32_t *low, int64_t low_size, const int32_t *high, int64_t high_size,
                    int32_t *support, int64_t support_size, int64_t least, _Bool *stays,
                    int64_t stays_size, int64_t *watch, int64_t watch_size);

// --- PageRank (pagerank_rounds.cpp) ------------------------------------------------------------------
int64_t gather_ranks(const int64_t *begins, int64_t begins_size, const int32_t *columns,
                     int64_t columns_size, int type, const void *factors, int64_t factors_size,
                     const void *share, int64_t share_size, void *y, int64_t y_size,
                     int64_t first, int64_t last, double *total, int64_t total_size);
int64_t update_ranks(int type, const void *y, int64_t y_size, double left, const void *sink,
                     int64_t sink_size, const void *teleport, int64_t teleport_size,
                     const void *rate, int64_t rate_size, void *x, int64_t x_size, void *share,
                     int64_t share_size, int64_t first, int64_t last, double *total,
                     int64_t total_size);
// The number of rounds.
int64_t iterate_ranks(const int64_t *begins, int64_t begins_size, const int32_t *columns,
                      int64_t columns_size, int type, const void *factors, int64_t factors_size,
                      const void *sinks, int64_t sinks_size, const void *teleports,
                      int64_t teleports_size, const void *rates, int64_t rates_size, void *ranks,
                      int64_t ranks_size, double whole, double bound, int64_t most,
                      int64_t threads, double *change, int64_t change_size, int64_t *watch,
                      int64_t watch_size);

// The bytes that each of the processes of one host needs in shared memory for the next loop, with
// `each` for a rank.
int64_t window_of_ranks(int64_t n, int64_t parts, int64_t each);
// The number of rounds, or BROKEN. `traffic` as for `shared_search`, `unread` as for `shared_components`.
int64_t shared_ranks(int type, const CompressedRows *rows, const void *factors,
                     int64_t factors_size, const Meeting *meeting, int64_t unread,
                     const void *sinks, int64_t sinks_size, const void *teleport,
                     int64_t teleport_size, const void *rates, int64_t rates_size, void *ranks,
                     int64_t ranks_size, double whole, double bound, int64_t most, double *change,
                     int64_t change_size, int64_t *traffic, int64_t traffic_size, int64_t *watch,
                     int64_t watch_size);

// --- sweeps over a contraction (contraction.cpp) -----------------------------------------------------
// The number of ancestors.
int64_t ancestors(const int64_t *begins, int64_t begins_size, const int32_t *ends,
                  int64_t ends_size, const int32_t *at, int64_t at_size, int32_t *found,
                  int64_t found_size);
int64_t upward_sweep(int type, const int64_t *begins, int64_t begins_size, const int32_t *ends,
                     int64_t ends_size, const void *lengths, int64_t lengths_size,
                     const int32_t *starts, int64_t starts_size, int64_t lanes, int64_t never,
                     void *x, int64_t x_size, _Bool *reached, int64_t reached_size);
int64_t core_product(int type, const void *core, int64_t core_size, int64_t lanes, int64_t never,
                     void *x, int64_t x_size, const _Bool *reached, int64_t reached_size);
int64_t downward_sweep(int type, const int64_t *begins, int64_t begins_size, const int32_t *ends,
                       int64_t ends_size, const void *lengths, int64_t lengths_size,
                       const int32_t *wanted, int64_t wanted_size, int64_t lanes, int64_t never,
                       void *x, int64_t x_size, const _Bool *reached, int64_t reached_size);
int64_t table_rows(int type, const void *x, int64_t x_size, int64_t lanes, const int32_t *at,
                   int64_t at_size, int64_t max_distance, int type_of_rows, void *rows,
                   int64_t rows_size);
int64_t table_pairs(int type, const void *x, int64_t x_size, int64_t lanes, const int32_t *at,
                    int64_t at_size, const int64_t *lane, int64_t lane_size, int64_t max_distance,
                    const int64_t *place, int64_t place_size, int type_of_out, void *out,
                    int64_t out_size);

// --- moves between communities (moves.cpp) -----------------------------------------------------------
int64_t moving_sweep(const int64_t *begins, int64_t begins_size, const int32_t *columns,
                     int64_t columns_size, const double *values, int64_t values_size,
                     const uint8_t *turn, int64_t turn_size, int64_t count, int32_t *label,
                     int64_t label_size, double *margin, int64_t margin_size, const double *scale,
                     int64_t scale_size, const double *k, int64_t k_size, const double *share,
                     int64_t share_size, const double *d, int64_t d_size, double gamma,
                     double min_gain, double *k_sums, int64_t k_sums_size, double *d_sums,
                     int64_t d_sums_size, double *gain, int64_t gain_size, int64_t *watch,
                     int64_t watch_size);
int64_t turns_of_ranks(const int64_t *rank, int64_t rank_size, int64_t factor, int64_t width,
                       uint8_t *turn, int64_t turn_size);
// The number of loops.
int64_t row_sums(const int64_t *begins, int64_t begins_size, const int32_t *columns,
                 int64_t columns_size, const double *values, int64_t values_size, double *sums,
                 int64_t sums_size, double *loops, int64_t loops_size);
// The number of labels in use.
int64_t number_labels(const int32_t *label, int64_t label_size, int32_t *number,
                      int64_t number_size);
// The number of edges.
int64_t merge_rows(const int64_t *begins, int64_t begins_size, const int32_t *columns,
                   int64_t columns_size, const double *values, int64_t values_size,
                   const int32_t *number, int64_t number_size, const double *k, int64_t k_size,
                   const int64_t *rank, int64_t rank_size, int64_t *offsets, int64_t offsets_size,
                   int32_t *made, int64_t made_size, double *sum_of, int64_t sum_of_size,
                   double *within, int64_t within_size, double *sums, int64_t sums_size,
                   int64_t *ranks, int64_t ranks_size, int64_t *watch, int64_t watch_size);
int64_t weight_within(const int64_t *begins, int64_t begins_size, const int32_t *columns,
                      int64_t columns_size, const double *values, int64_t values_size,
                      const int32_t *label, int64_t label_size, double *within,
                      int64_t within_size);

// --- meetings of processes (processes.cpp) ----------------------------------------------------------
// Say that this process has come to the next meeting of an epoch; the result is for `wait_for_all`.
int64_t arrive(uint8_t *memory, int64_t memory_size, int64_t parts, int64_t epoch);
// 0 when all have come to where this one has arrived, 1 after so many microseconds, 2 if it is broken.
int64_t wait_for_all(uint8_t *memory, int64_t memory_size, int64_t parts, int64_t epoch,
                     int64_t arrived, int64_t microseconds);
// Break the next meeting of an epoch, so that no one waits for this process.
int64_t give_up_meeting(uint8_t *memory, int64_t memory_size, int64_t parts, int64_t epoch);

// --- levels of a search over distributed rows (distributed_levels.cpp) ----------------------------
// What is not `seen`, as lists for one process after another, with the vertex that an edge leaves;
// `counts`, 0 at first, says how many are in each. The number in all.
int64_t push_to_owners(const int32_t *frontier, int64_t frontier_size, const int64_t *begins,
                       int64_t begins_size, const int32_t *columns, int64_t columns_size,
                       int64_t parts, int64_t rank, uint8_t *seen, int64_t seen_size,
                       int32_t *places, int64_t places_size, int32_t *tails, int64_t tails_size,
                       int64_t *counts, int64_t counts_size);
// Vertices that are found in a round go to `next`, which has `count` so far, and the edges that
// leave them are added to `edges`. The number in `next`.
int64_t take_found(const int32_t *places, int64_t places_size, const int32_t *tails,
                   int64_t tails_size, int64_t round, const int64_t *begins, int64_t begins_size,
                   int32_t *level, int64_t level_size, int32_t *before, int64_t before_size,
                   int32_t *next, int64_t next_size, int64_t count, int64_t *edges,
                   int64_t edges_size);
// The same where each own vertex without a level looks for a neighbour in the frontier, of which
// `gathered` has the bitmaps of all processes.
int64_t pull_from_all(const int64_t *back, int64_t back_size, const int32_t *across,
                      int64_t across_size, const uint8_t *gathered, int64_t gathered_size,
                      int64_t parts, int64_t round, const int64_t *begins, int64_t begins_size,
                      uint8_t *seen, int64_t seen_size, int32_t *level, int64_t level_size,
                      int32_t *before, int64_t before_size, int32_t *next, int64_t next_size,
                      int64_t *edges, int64_t edges_size);
// For closures under min.+: for each vertex to which an edge from the frontier brings less than was
// sent before, the least sum, as lists for one process after another. The number in all.
int64_t sums_to_owners(int type, const int32_t *frontier, int64_t frontier_size,
                       const int64_t *begins, int64_t begins_size, const int32_t *columns,
                       int64_t columns_size, const void *lengths, int64_t lengths_size,
                       int64_t parts, const void *values, int64_t values_size, void *sent,
                       int64_t sent_size, int32_t *round_of, int64_t round_of_size, int64_t round,
                       int32_t *places, int64_t places_size, void *sums, int64_t sums_size,
                       int64_t *counts, int64_t counts_size);
// Vertices whose value becomes less go to `next`, which has `count` so far. The number in `next`.
int64_t take_less(int type, const int32_t *places, int64_t places_size, const void *sums,
                  int64_t sums_size, int64_t round, void *values, int64_t values_size,
                  int32_t *level, int64_t level_size, int32_t *next, int64_t next_size,
                  int64_t count);
// For each own vertex the first nearer one whose edge gives exactly its value; `tail` holds -1.
int64_t tight_tails(int type, const int64_t *back, int64_t back_size, const int32_t *across,
                    int64_t across_size, const void *lengths, int64_t lengths_size,
                    const void *distance, int64_t distance_size, const _Bool *known,
                    int64_t known_size, int64_t parts, int64_t rank, int64_t *tail,
                    int64_t tail_size);

// --- in one call of each process, through memory that all see -------------------------------------
// Levels of a search (shared_levels.cpp).
// The bytes that each process needs there.
int64_t window_of_levels(int64_t n, int64_t parts);
// Rounds, at most so many, from a frontier that is among the vertices with a level; `next` has room
// for another one. A round pulls from more edges than `threshold` on. The number of rounds that were
// done, and a line of `log` for each and the start, or BROKEN.
int64_t shared_levels(const CompressedRows *rows, const CompressedRows *back,
                      const Meeting *meeting, int64_t threshold, int64_t round, int64_t most,
                      int32_t *level, int64_t level_size, int32_t *before, int64_t before_size,
                      int32_t *frontier, int64_t frontier_size, int32_t *next, int64_t next_size,
                      uint64_t *sent, int64_t sent_size, int64_t *log, int64_t log_size,
                      int64_t *at_rest, int64_t at_rest_size, int64_t *watch, int64_t watch_size);
// A whole search from one vertex, of at most so many rounds. The vertices of this process that are
// reached, which are `known`, or BROKEN, or DEEP. Of others the parent is 0. `traffic` gets the bytes
// sent, the meetings, and the nanoseconds waited.
int64_t shared_search(const CompressedRows *rows, const CompressedRows *back,
                      const Meeting *meeting, int64_t threshold, int64_t source, int64_t most,
                      const Depth *deep, int32_t *level, int64_t level_size, int64_t *parent,
                      int64_t parent_size, _Bool *known, int64_t known_size, int64_t *traffic,
                      int64_t traffic_size, int64_t *watch, int64_t watch_size);
// The smallest vertex in the component of each own vertex. `memory` holds 192 bytes, and for each
// process 4 for each of its vertices and up to 64 more. `unread` says that nobody reads any more what
// an earlier loop has left there. The number of trees that this process has joined to others, or
// BROKEN (shared_components.cpp).
int64_t shared_components(const CompressedRows *rows, const Meeting *meeting, int64_t unread,
                          int64_t *label, int64_t label_size, int64_t *watch, int64_t watch_size);
// The bytes that each process needs in shared memory for shortest paths.
int64_t window_of_lengths(int64_t n, int64_t parts);
// Rounds, at most so many, of a closure under min.+ without negative lengths (shared_lengths.cpp).
// `values` has the start and then the result, `frontier` and `count` the vertices that are next,
// `waits` which others have changed, `state` the bound, its width, the edges followed below it, and
// the least value that waits. The rest is as for `shared_levels`.
int64_t shared_lengths(int type, const CompressedRows *rows, const void *lengths,
                       int64_t lengths_size, const Meeting *meeting, int64_t edges_of_all,
                       int64_t first, int64_t most, void *values, int64_t values_size,
                       int32_t *frontier, int64_t frontier_size, int64_t *count,
                       int64_t count_size, uint8_t *waits, int64_t waits_size, double *state,
                       int64_t state_size, int64_t *log, int64_t log_size, int64_t *at_rest,
                       int64_t at_rest_size, int64_t *watch, int64_t watch_size);
// Shortest paths from one vertex, and parents, by these rows and those of the edges that enter own
// vertices. The vertices of this process that are reached, or NO_FOREST if some have no nearer vertex
// that explains their distance, or a distance is above `highest`. The rest is as for `shared_search`.
int64_t shared_paths(int type, const CompressedRows *rows, const void *lengths,
                     int64_t lengths_size, const CompressedRows *back, const void *along,
                     int64_t along_size, const Meeting *meeting, int64_t edges_of_all,
                     int64_t source, double width, double highest, const Depth *deep,
                     void *distance, int64_t distance_size, int64_t *parent, int64_t parent_size,
                     _Bool *known, int64_t known_size, int64_t *traffic, int64_t traffic_size,
                     int64_t *watch, int64_t watch_size);
