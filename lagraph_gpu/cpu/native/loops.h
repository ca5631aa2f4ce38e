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

// How many processes can meet at a barrier, its bytes, and those between what different processes
// write in memory that they share.
enum Sharing { MOST_PROCESSES = 4096, BARRIER_BYTES = 128, LINE_BYTES = 64 };

enum Failure {
  NO_MEMORY = -1,   // there was no memory for the loop
  ASYMMETRIC = -2,  // rows of an undirected graph are not symmetric: somebody has changed them
  BROKEN = -3,      // one of the processes that meet in the loop has given up
  DEEP = -4,        // a search is deep: it had few entries after so many rounds
  NO_FOREST = -5,   // a distance is too large, or no edge from a nearer vertex explains it
  WRONG_TYPE = -6,  // the loop has no elements of this type
  LONG_SEARCH = -7  // a search would read more edges than it may
};

// The pattern of compressed rows: row offsets and columns. Rows that are not known have no offsets.
typedef struct {
  const int64_t *begins;
  int64_t begins_size;
  const int32_t *columns;
  int64_t columns_size;
} CompressedRows;

// Those from `first` to before `end`.
typedef struct {
  int64_t first, end;
} Range;

// Row i of a process is that of vertex i · parts + rank.
typedef struct {
  int64_t parts, rank;
} OwnRows;

// The bitmaps of rows: the rank of each vertex of high degree (-1 for others), where the words of its
// bitmap begin (-1 where it has none), and the words.
typedef struct {
  const int32_t *rank;
  int64_t rank_size;
  const int64_t *place;
  int64_t place_size;
  uint64_t *words;
  int64_t words_size;
} RowBitmaps;

// The vertices between which a path is looked for.
typedef struct {
  int64_t source, target;
} Endpoints;

// The largest number of edges on a path, and of those that are read for it.
typedef struct {
  int64_t on_path, read;
} EdgeLimits;

// Searches that sweep together, whose distances lie side by side, in so many `lanes`. `never` is the
// distance of what no path leads to. In an answer those above `max_distance` are infinite.
typedef struct {
  int64_t lanes, never, max_distance;
} TableSweep;

// Rounds end when the changes of one are at most `bound` or not finite, or after so many.
typedef struct {
  double bound;
  int64_t rounds;
} StopRule;

// A graph of n vertices, of which each of so many processes has a part.
typedef struct {
  int64_t n, parts;
} Partition;

// Where the processes of one host meet in a loop. `memory` is a window of each process, one after
// another; a barrier is at its beginning. The graph has n vertices, of which process `rank` of so
// many `parts` has every `parts`-th. Processes that wait longer than `patience` milliseconds give up.
typedef struct {
  uint8_t *memory;
  int64_t memory_size;
  int64_t n, parts, rank, epoch, patience;
} Meeting;

// A barrier at which so many processes meet, in one of the epochs that they count.
typedef struct {
  uint8_t *memory;
  int64_t memory_size;
  int64_t parts, epoch;
} MeetingPoint;

// Rounds of a search after round `before`, at most so many. A round pulls if more edges than
// `threshold` leave the frontier.
typedef struct {
  int64_t before, most, threshold;
} LevelRounds;

// Rounds of label propagation, at most so many. In rounds from `first_mark` on, labels are kept, and
// when they come again, the rounds that would only repeat others are left out.
typedef struct {
  int64_t rounds, first_mark;
} LabelRounds;

// A search is deep that has fewer than so many entries in so many rounds.
typedef struct {
  int64_t rounds, entries;
} Depth;

// What decides between push and pull: the edges that leave the frontier, those that leave vertices
// not reached before it, and the number of its vertices. The graph has n vertices; a pull pays from
// one in `alpha` of the edges that are left.
typedef struct {
  int64_t edges, edges_left, vertices, n, alpha;
} Frontier;

// How a breadth-first search goes: a pull pays from one in `alpha` of the edges that are left, and
// vertices of more than `max_level` are not reached.
typedef struct {
  int64_t alpha, max_level;
} Traversal;

// What a breadth-first search writes: the level of each vertex and its predecessor, to arrays that
// hold -1, and the vertices in the order in which they are reached.
typedef struct {
  int32_t *level;
  int64_t level_size;
  int32_t *before;
  int64_t before_size;
  int32_t *queue;
  int64_t queue_size;
} SearchTree;

// The sources of several searches, those of each between two of its `begins`.
typedef struct {
  const int64_t *begins;
  int64_t begins_size;
  const int64_t *sources;
  int64_t sources_size;
} SourceRows;

// Pairs of rows, sorted by the first of each.
typedef struct {
  const int32_t *first;
  int64_t first_size;
  const int32_t *second;
  int64_t second_size;
} PairsOfRows;

// Searches from many sources in step. `room` holds zeros: three times so many words (1, 4 or 8) for
// each vertex, whose bits are searches. With 0 words it is empty, and the searches go one after
// another, with `alpha` as in a `Traversal`.
typedef struct {
  const int64_t *sources;
  int64_t sources_size;
  uint64_t *room;
  int64_t room_size;
  int64_t words, alpha;
} SearchesInStep;

// What several searches reach: the vertices of each search between two of `ends`, with their levels
// and their predecessors.
typedef struct {
  int64_t *ends;
  int64_t ends_size;
  int32_t *vertex;
  int64_t vertex_size;
  int32_t *level;
  int64_t level_size;
  int64_t *before;
  int64_t before_size;
} ReachedRows;

// The vertices that a queue takes after a level, and the vertex that found each.
typedef struct {
  int64_t *vertex;
  int64_t vertex_size;
  int64_t *found_by;
  int64_t found_by_size;
} Discoveries;

// The first `length` vertices of a list that has room for all.
typedef struct {
  int32_t *vertices;
  int64_t vertices_size;
  int64_t length;
} Queue;

// The first round that a loop does, and the last.
typedef struct {
  int64_t first, last;
} Rounds;

// Vertices move in so many turns, each in its own.
typedef struct {
  const uint8_t *turn;
  int64_t turn_size;
  int64_t turns;
} Turns;

// The score of a community for a vertex: the votes for it times `scale`, less the sum of `k` over its
// other members times `gamma`, less the vertex's `share` of the sum of `d` over them times `gamma`.
// Where there is no second sum, `share` and `d` are empty. A vertex moves for more than `min_gain`.
typedef struct {
  const double *scale;
  int64_t scale_size;
  const double *k;
  int64_t k_size;
  double gamma, min_gain;
  const double *share;
  int64_t share_size;
  const double *d;
  int64_t d_size;
} Scores;

// The label of the community of each vertex, its margin (the votes that its neighbours must change
// before it can move), and for each label the sums of `k` and of `d` over its members.
typedef struct {
  int32_t *label;
  int64_t label_size;
  double *margin;
  int64_t margin_size;
  double *k_sums;
  int64_t k_sums_size;
  double *d_sums;
  int64_t d_sums_size;
} Communities;

// The number of the community of each vertex, the vertex's term `k` of the sums, and its rank.
typedef struct {
  const int32_t *number;
  int64_t number_size;
  const double *k;
  int64_t k_size;
  const int64_t *rank;
  int64_t rank_size;
} Members;

// The graph of the communities without loops, what lies within communities, and for each community
// the sum of `k` over its members and the smallest of their ranks.
typedef struct {
  int64_t *begins;
  int64_t begins_size;
  int32_t *columns;
  int64_t columns_size;
  double *values;
  int64_t values_size;
  double *within;
  int64_t within_size;
  double *k;
  int64_t k_size;
  int64_t *rank;
  int64_t rank_size;
} MergedRows;

// --- breadth-first searches (breadth_first.cpp) --------------------------------------------------
// Rows `back` are those of the transpose, for pulls, or none.

// Say whether a search should pull this frontier: the result is 1 if so, else 0.
int64_t pulls(const Frontier *frontier);
// Search breadth-first from several sources, and write to `at_rest` whether the frontier became
// empty. The result is the number of vertices reached.
int64_t bfs(const CompressedRows *rows, const CompressedRows *back, const Traversal *how,
            const int64_t *sources, int64_t sources_size, const SearchTree *tree, _Bool *at_rest,
            int64_t at_rest_size, int64_t *watch, int64_t watch_size);
// Search breadth-first from several sources, and write only the level and the predecessor of each
// vertex, to arrays that hold -1: the queue lies in `level` until the end. The result is the number
// of vertices reached.
int64_t levels_from(const CompressedRows *rows, const CompressedRows *back, const Traversal *how,
                    const int64_t *sources, int64_t sources_size, int32_t *level,
                    int64_t level_size, int64_t *before, int64_t before_size, int64_t *watch,
                    int64_t watch_size);
// Search breadth-first from one source or several, and write to `depth` the level of the farthest vertex.
// The result is the number of vertices reached.
int64_t depth_of_search(const CompressedRows *rows, const CompressedRows *back, const Traversal *how,
                        const int64_t *sources, int64_t sources_size, int32_t *depth,
                        int64_t depth_size, int64_t *watch, int64_t watch_size);
// Search breadth-first from each source, and write the number of edges to each vertex to its row of
// the table, infinite where it is not reached.
int64_t level_table(int type, const CompressedRows *rows, const CompressedRows *back,
                    const Traversal *how, const int64_t *sources, int64_t sources_size, void *table,
                    int64_t table_size, int64_t *watch, int64_t watch_size);
// Search breadth-first for each row of sources from `first` on, and append what is found behind
// `ends`. With `origins` predecessors are the places of the sources that the vertices come from.
// The result is the row at which the room for entries was used up, or the number of rows.
int64_t bfs_rows(const CompressedRows *rows, const CompressedRows *back, const Traversal *how,
                 const SourceRows *sources, _Bool origins, int64_t first, const ReachedRows *found,
                 _Bool *at_rest, int64_t at_rest_size, int64_t *watch, int64_t watch_size);
// Write the vertices that a queue takes after this level, if it takes the edges of a vertex in the
// order of `places`. They are marked in `seen`. The result is the number of vertices found.
int64_t fifo_level(const CompressedRows *rows, const int64_t *places, int64_t places_size,
                   _Bool *seen, int64_t seen_size, const int64_t *frontier, int64_t frontier_size,
                   const Discoveries *found);
// Give each vertex of the queue the value of its predecessor, in the order of the queue. Vertices
// that are not in it may have any predecessor.
int64_t inherit(const int32_t *queue, int64_t queue_size, uint8_t *held, int64_t held_size,
                const int32_t *before, int64_t before_size);

// --- a search that reaches little (small_reach.cpp) ----------------------------------------------
// Write the vertices that are reached from one, by their ids, if there is room for all of them and they
// have few edges. The result is their number, or one more than there is room for.
int64_t reached_if_few(const CompressedRows *rows, int64_t source, int32_t *vertices,
                       int64_t vertices_size);

// --- eccentricities (eccentricities.cpp) ---------------------------------------------------------
// Do so many searches in a symmetric graph of n vertices, n > 0, and write the largest eccentricity that
// they found, upper bounds, and which vertices are left, of whose distances one may be larger. If a
// vertex is not reached, the result is below n.
int64_t bound_eccentricities(const CompressedRows *rows, const Traversal *how, int64_t searches,
                             int32_t *upper, int64_t n, _Bool *left, int64_t left_size,
                             int64_t *longest, int64_t longest_size, int64_t *watch,
                             int64_t watch_size);

// --- betweenness (brandes.cpp) -------------------------------------------------------------------
// Add to `dependency` of each vertex its share of the shortest paths from each source, which
// counts as often as `counts` says (Brandes), and with `endpoints` the paths that begin or end there.
int64_t brandes(const CompressedRows *rows, const int64_t *sources, int64_t sources_size,
                const double *counts, int64_t counts_size, _Bool endpoints, double *dependency,
                int64_t dependency_size, int64_t *watch, int64_t watch_size);

// --- shortest paths from one vertex or several (shortest_paths.cpp) ------------------------------
// Write to `distance`, which holds infinity, the distance of each vertex from the nearest source,
// if it is at most `limit`. If there are targets, end when theirs are known: others may then be
// too long.
int64_t dijkstra(int type, const CompressedRows *rows, const void *lengths, int64_t lengths_size,
                 const int64_t *sources, int64_t sources_size, const int64_t *targets,
                 int64_t targets_size, double limit, void *distance, int64_t distance_size,
                 int64_t *watch, int64_t watch_size);
// Search from each source in the order of length, and write the distances that are at most `limit` to
// its row of the table, infinite elsewhere.
int64_t length_table(int type, const CompressedRows *rows, const void *lengths, int64_t lengths_size,
                     const int64_t *sources, int64_t sources_size, double limit, void *table,
                     int64_t table_size, int64_t *watch, int64_t watch_size);
// Write to `distance`, which holds infinity, the distances from `source` that are at most
// `limit`, and to `parent`, which holds -1, the vertex before each on a shortest path. The result
// is the number of vertices reached.
int64_t dijkstra_tree(int type, const CompressedRows *rows, const void *lengths,
                      int64_t lengths_size, double limit, int64_t source, void *distance,
                      int64_t distance_size, int64_t *parent, int64_t parent_size, int64_t *watch,
                      int64_t watch_size);
// Do some rounds of a closure under min.+, with lengths of either sign. `frontier` holds the vertices
// that changed in the round before, and then those that changed in the last; `changed` gets the round
// in which a vertex last changed. The result is the size of the frontier after the last round.
int64_t bellman_ford(int type, const CompressedRows *rows, const void *lengths,
                     int64_t lengths_size, const Rounds *rounds, void *distance,
                     int64_t distance_size, const Queue *frontier, int64_t *changed,
                     int64_t changed_size, int64_t *watch, int64_t watch_size);
// Write to `parent`, which holds -1, for each `known` vertex the nearest in-neighbour whose edge
// gives exactly the vertex's distance.
int64_t tight_parents(int type, const CompressedRows *rows, const void *lengths,
                      int64_t lengths_size, const void *distance, int64_t distance_size,
                      const _Bool *known, int64_t known_size, int64_t *parent, int64_t parent_size,
                      int64_t *watch, int64_t watch_size);

// --- lengths of all shortest paths (all_pairs.cpp) -----------------------------------------------
// The lengths of shortest paths in place of the lengths of edges: n rows of n, infinite where there is
// no edge, and at most 0 from a vertex to itself. Returns a vertex on a cycle of negative length, where
// the lengths are then worth nothing, or n if there is none.
int64_t all_lengths(int type, int64_t n, void *lengths, int64_t lengths_size, int64_t *watch,
                    int64_t watch_size);

// --- one path between two vertices (point_to_point.cpp) ------------------------------------------
// Write to `path` the vertices of a path of the fewest edges, if they are at most `most`. The
// result is the number of its vertices, or 0.
int64_t path_of_hops(const CompressedRows *rows, const CompressedRows *back,
                     const Endpoints *between, const EdgeLimits *most, int32_t *path,
                     int64_t path_size, int64_t *watch, int64_t watch_size);
// Write to `path` the vertices of a shortest path, if it is not longer than `limit`, and to
// `found` its length. Lengths are at least `least`; `rounding` is the share by which sums may
// err. The result is the number of its vertices, or 0.
int64_t path_of_lengths(int type, const CompressedRows *rows, const void *lengths,
                        int64_t lengths_size, const CompressedRows *back, const void *lengths_back,
                        int64_t lengths_back_size, const Endpoints *between, double limit,
                        double least, double rounding, int32_t *path, int64_t path_size,
                        double *found, int64_t found_size, int64_t *watch, int64_t watch_size);
// Write to `path` and `found` a shortest path and its length, by a search in the order of length
// plus bound (A*). `bounds` exceed the distance to the target by no more than a share of `slack`.
// The result is the number of its vertices, or 0.
int64_t path_by_bounds(int type, const CompressedRows *rows, const void *lengths,
                       int64_t lengths_size, const double *bounds, int64_t bounds_size,
                       double slack, const Endpoints *between, double limit, int32_t *path,
                       int64_t path_size, double *found, int64_t found_size, int64_t *watch,
                       int64_t watch_size);

// --- patterns (pattern.cpp) ----------------------------------------------------------------------
// The number of entries on the diagonal.
int64_t diagonal_entries(const CompressedRows *rows);

// Whether a matrix is its own transpose. A value has `item` bytes; if that is 0, one stands for all.
int64_t is_symmetric(const CompressedRows *rows, int64_t item, const uint8_t *values,
                     int64_t values_size, int64_t *watch, int64_t watch_size);

// Write for each vertex the others that an edge leads to or comes from, and the number of edges of both,
// by the rows of out-edges and those of in-edges. There is room for one entry more than both have. The
// result is the number of entries, or ASYMMETRIC if there is not so much room.
int64_t joined_rows(const CompressedRows *out, const CompressedRows *back, int64_t *begins,
                    int64_t begins_size, int32_t *columns, int64_t columns_size, int64_t *edges,
                    int64_t edges_size);

// Write the rows of the principal submatrix of the chosen vertices, all different, in this order. There is
// room for all entries of their rows. A value has `item` bytes; if that is 0, none is written. The result
// is the number of entries.
int64_t principal_submatrix(const CompressedRows *rows, int64_t item, const uint8_t *values,
                            int64_t values_size, const int64_t *chosen, int64_t chosen_size,
                            int64_t *offsets, int64_t offsets_size, int32_t *kept,
                            int64_t kept_size, uint8_t *held, int64_t held_size);

// --- entries in any order (entries.cpp) ----------------------------------------------------------
// Write the offsets of rows, and their entries in the order of columns: the columns and the values.
// Entries of one position keep their order. With `both` an entry off the diagonal also stands for that
// with its ends exchanged. A value has `item` bytes; if that is 0, none is written. The result is the
// number of entries. `columns` has SPARE_COLUMNS more places than there may be entries, for what is not
// sorted yet.
enum Sorting { SPARE_COLUMNS = 16 };
int64_t entries_by_row(const int64_t *row, int64_t row_size, const int64_t *column,
                       int64_t column_size, bool both, int64_t item, const uint8_t *values,
                       int64_t values_size, int64_t *begins, int64_t begins_size, int32_t *columns,
                       int64_t columns_size, uint8_t *held, int64_t held_size, int64_t *watch,
                       int64_t watch_size);
// How many entries have the column of the entry before in their row.
int64_t repeated_entries(const CompressedRows *rows);
// Write the rows without these entries; the places of those that stay to `first`, and of the others to
// `again`. The result is how many stay.
int64_t split_repeated(const CompressedRows *rows, int64_t *begins, int64_t begins_size,
                       int32_t *columns, int64_t columns_size, int64_t *first, int64_t first_size,
                       int64_t *again, int64_t again_size);

// --- components and spanning forests (union_find.cpp) --------------------------------------------
// Write to `label` the smallest vertex in the component of each vertex.
int64_t connected_components(const CompressedRows *rows, _Bool steps, int64_t *label,
                             int64_t label_size, int64_t *watch, int64_t watch_size);
// Write to `parent`, where each vertex is its own, the smallest vertex in the component of each,
// along the edges between vertices of one label.
int64_t connected_parts(const CompressedRows *rows, const int32_t *label, int64_t label_size,
                        int64_t *parent, int64_t parent_size, int64_t *watch, int64_t watch_size);
// Join trees in `label` along the edges of own rows that have these places in their row, and write
// the root of each vertex. Rows in the tree of `skipped` are skipped, unless that is negative.
int64_t join_own_rows(const CompressedRows *rows, const OwnRows *own, int64_t skipped,
                      const Range *places, int64_t *label, int64_t label_size);
// Join trees in `label` along pairs of vertices, and write the root of each vertex.
int64_t join_pairs(const int32_t *one, int64_t one_size, const int32_t *other,
                   int64_t other_size, int64_t *label, int64_t label_size);
// Mark in `chosen` a spanning forest of equal weights, each edge from both ends. The result is 0,
// or ASYMMETRIC.
int64_t spanning_forest(const CompressedRows *rows, _Bool *chosen, int64_t chosen_size,
                        int64_t *watch, int64_t watch_size);
// Mark in `chosen` a minimum spanning forest, or a maximum one if `heaviest`, each edge from both
// ends. The result is 0, or ASYMMETRIC.
int64_t boruvka(int type, const CompressedRows *rows, const void *weights, int64_t weights_size,
                _Bool heaviest, _Bool *chosen, int64_t chosen_size, int64_t *watch,
                int64_t watch_size);
// Write the row offsets of the entries that are marked, and their columns and values. A value has
// `item` bytes; if that is 0, none is written. The result is the number of entries that are
// marked.
int64_t marked_rows(const CompressedRows *rows, int64_t item, const uint8_t *values,
                    int64_t values_size, const _Bool *chosen, int64_t chosen_size, int64_t *offsets,
                    int64_t offsets_size, int32_t *kept, int64_t kept_size, uint8_t *held,
                    int64_t held_size);

// --- strong components (strong_components.cpp) ---------------------------------------------------
// Write to `label` the smallest vertex in the strong component of each vertex.
int64_t strong_components(const CompressedRows *rows, int64_t *label, int64_t label_size,
                          int64_t *watch, int64_t watch_size);

// --- communities (modularity.cpp, refinement.cpp, label_argmax.cpp) ------------------------------
// Write the part of each vertex (Leiden): in each turn its vertices that are alone join the part by
// which they gain most. `k` is what enters each vertex, and `d` what leaves it besides.
int64_t refine(const CompressedRows *rows, const double *values, int64_t values_size,
               const int32_t *label, int64_t label_size, const Turns *turns, const Scores *scores,
               int32_t *part, int64_t part_size, int64_t *watch, int64_t watch_size);
// Add up the values of the rows of each label in `leaving`, those of its columns in `entering`,
// all in the first of `sums`, and those between equal labels in the second. Values count `factor`
// times, and a loop `twice` if so it is.
int64_t community_sums(const CompressedRows *rows, const double *values, int64_t values_size,
                       double factor, _Bool twice, const int32_t *label, int64_t label_size,
                       double *leaving, int64_t leaving_size, double *entering,
                       int64_t entering_size, double *sums, int64_t sums_size, int64_t *watch,
                       int64_t watch_size);
// Write to `top` and `best` the most votes of a label among the entries of each row, and that
// label; of several the smallest.
int64_t label_argmax(int type, const CompressedRows *rows, const void *votes, int64_t votes_size,
                     const int32_t *label, int64_t label_size, void *top, int64_t top_size,
                     int64_t *best, int64_t best_size, int64_t *watch, int64_t watch_size);
// Write to `labels` the label of each vertex after rounds in which it takes that of the most votes among
// the entries of its row, at first its own id. They end if no label changes.
int64_t propagate_labels(const CompressedRows *rows, const int64_t *votes, int64_t votes_size,
                         const LabelRounds *most, int64_t *labels, int64_t n, int64_t *watch,
                         int64_t watch_size);

// --- greedy passes and triangles (greedy.cpp, triangles.cpp) -------------------------------------
// Write to `chosen` the independent set of a greedy pass over the vertices in this order.
int64_t greedy_set(const CompressedRows *rows, const int64_t *order, int64_t order_size,
                   _Bool *chosen, int64_t chosen_size, int64_t *watch, int64_t watch_size);
// Write to `color`, which holds -1, the smallest colour that no earlier neighbour has, in this
// order.
int64_t first_fit(const CompressedRows *rows, const int64_t *order, int64_t order_size,
                  int64_t *color, int64_t color_size, int64_t *watch, int64_t watch_size);
// Write to `mate`, which holds -1, the partner of each vertex in the matching of a pass by
// falling number of the edges.
int64_t suitor_matching(const CompressedRows *rows, const int64_t *rank, int64_t rank_size,
                        uint64_t factor, int64_t *mate, int64_t mate_size, int64_t *watch,
                        int64_t watch_size);
// Write the edges in rows of their ends of lower degree, the rank of each vertex of high degree
// (-1 for others), and where the words of its bitmap begin (-1 where it has none). The result is
// the number of words of all bitmaps, or ASYMMETRIC.
int64_t higher_ends(const CompressedRows *rows, int64_t *ends, int64_t ends_size, int32_t *high,
                    int64_t high_size, int32_t *rank, int64_t rank_size, int64_t *place,
                    int64_t place_size);
// Write the entries, with a number for each, in rows of their ends of lower degree. There is room for half
// of them and one more. The result is 0, or ASYMMETRIC.
int64_t higher_entries(const CompressedRows *rows, const uint8_t *edges, int64_t edges_size,
                       int64_t *ends, int64_t ends_size, int32_t *high, int64_t high_size,
                       uint8_t *kept, int64_t kept_size);
// Fill the bitmaps of rows, whose words are zeros.
int64_t row_bitmaps(const CompressedRows *higher, const RowBitmaps *bitmaps);
// Count the triangles whose vertex of lowest degree is one of these `vertices`. `at`, where it is
// not empty, gets the number at each vertex. The result is the number of triangles.
int64_t triangles_of(const CompressedRows *higher, const RowBitmaps *bitmaps, const Range *vertices,
                     int64_t *at, int64_t at_size, int64_t *watch, int64_t watch_size);
// Add to `at`, for each triangle of a directed graph whose vertex of lowest degree is one of these,
// at each of its vertices the number of edges of the opposite side; or, for `walks`, twice the
// product of the numbers of all sides. `edges` has the number for each entry. The result is 0.
int64_t directed_triangles(const CompressedRows *higher, const uint8_t *edges, int64_t edges_size,
                           const Range *vertices, _Bool walks, int64_t *at, int64_t at_size,
                           int64_t *watch, int64_t watch_size);

// --- common neighbours (similarity.cpp) ----------------------------------------------------------
// Write for each pair how many columns its rows have in common.
int64_t common_entries(const CompressedRows *rows, const PairsOfRows *pairs, int64_t *common,
                       int64_t common_size, int64_t *watch, int64_t watch_size);

// --- depth-first search (depth_first.cpp) --------------------------------------------------------
// Search in depth first, from `source`, or with -1 from each vertex that is not discovered yet,
// in turn. It writes the place of each vertex in the order of discovery, its parent, and its
// place in the order in which the search leaves them, and -1 for the others. The result is the
// number of vertices discovered.
int64_t depth_first(const CompressedRows *rows, int64_t source, int64_t *discovery,
                    int64_t discovery_size, int64_t *parent, int64_t parent_size, int64_t *finish,
                    int64_t finish_size, int64_t *watch, int64_t watch_size);

// --- bipartite graphs (bipartite.cpp) ------------------------------------------------------------
// Write to `side` the side of each vertex of a bipartite graph, 0 or 1. The result is 0 if there
// is a cycle of odd length, and else 1.
int64_t two_sides(const CompressedRows *rows, int64_t *side, int64_t side_size, int64_t *watch,
                  int64_t watch_size);
// Match vertices that have a single neighbour among those not yet matched with it, and where there are
// none one with few neighbours. `mate` holds -1 at first. The result is the number of pairs.
int64_t greedy_pairs(const CompressedRows *rows, int64_t *mate, int64_t mate_size);
// Make a matching, in which `mate` holds the partner of each vertex or -1, as large as possible in so
// many phases, each of which looks at every entry. The vertices that are `left` are one side. The
// result is 0 if more phases would make it larger, and else 1.
int64_t largest_matching(const CompressedRows *rows, int64_t phases, const _Bool *left,
                         int64_t left_size, int64_t *mate, int64_t mate_size, int64_t *watch,
                         int64_t watch_size);

// --- random walks (random_walks.cpp) -------------------------------------------------------------
// Write the next vertices of each walker to its row of `path`, and to `taken` how many steps it
// has made. `sums` holds the prefix sums of the weights of each row, or nothing if each edge
// counts 1; `draws` has numbers from [0, 1), for each step a row of `drawn`.
int64_t walk(const CompressedRows *rows, int64_t drawn, const double *sums, int64_t sums_size,
             const double *draws, int64_t draws_size, const int64_t *walker, int64_t walker_size,
             const int64_t *start, int64_t start_size, int64_t *path, int64_t path_size,
             int64_t *taken, int64_t taken_size);

// --- searches in step (searches_together.cpp) ----------------------------------------------------
// In these loops `back` is the transpose, or has no rows.

// Write to `order` the places of the sources in an order in which those of a batch lie near each
// other.
int64_t nearby_order(const CompressedRows *rows, int64_t batch, const int64_t *sources,
                     int64_t sources_size, int64_t *order, int64_t order_size, int64_t *watch,
                     int64_t watch_size);
// Write the largest distance from each source. It stops after a batch in which some source does
// not reach every vertex. The result is the number of pairs of a source and a vertex that it
// reaches, itself included.
int64_t depths_of_searches(const CompressedRows *rows, const CompressedRows *back,
                           const SearchesInStep *searches, int32_t *farthest,
                           int64_t farthest_size, int64_t *watch, int64_t watch_size);
// Add to each vertex the number of sources that reach it, the sum of their distances, and the sum
// of the reciprocals, without itself.
int64_t sums_of_searches(const CompressedRows *rows, const CompressedRows *back,
                         const SearchesInStep *searches, int64_t *others, int64_t others_size,
                         int64_t *farness, int64_t farness_size, double *nearness,
                         int64_t nearness_size, int64_t *watch, int64_t watch_size);
// Add to each source the number of vertices that it reaches, without itself, and the sum of their
// distances.
int64_t totals_of_searches(const CompressedRows *rows, const CompressedRows *back,
                           const SearchesInStep *searches, int64_t *others, int64_t others_size,
                           int64_t *farness, int64_t farness_size, int64_t *watch,
                           int64_t watch_size);

// --- forests (forests.cpp) -----------------------------------------------------------------------
// Write the ancestors of the vertex in front of `chain` behind it, up to one that is its own parent,
// and return how many vertices there are: 0 if a parent is no vertex, or if the parents form a cycle.
int64_t chain_to_root(const int64_t *parent, int64_t parent_size, int64_t *chain, int64_t chain_size);

// --- orders (orders.cpp) -------------------------------------------------------------------------
// Write the positions of the keys to `order`, by increasing key, equal keys in their order. The result
// is 1; or 0 if the keys lie further apart than there are keys, and then nothing is written.
int64_t counting_sort(const int64_t *keys, int64_t keys_size, int64_t *order, int64_t order_size);

// --- peeling, topological orders and trusses (peeling.cpp, truss.cpp) ----------------------------
// Replace the counters `left` of the vertices in `stays` by their levels of a core decomposition.
int64_t peel(const CompressedRows *rows, const int64_t *amounts, int64_t amounts_size, _Bool *stays,
             int64_t stays_size, int64_t *left, int64_t left_size, int64_t *watch,
             int64_t watch_size);
// Write the core number of each vertex to `level`. Edges count in both directions, if the rows of those
// that enter each vertex are known.
int64_t core_levels(const CompressedRows *out, const CompressedRows *in, int64_t *level,
                    int64_t level_size, int64_t *watch, int64_t watch_size);
// Write to `longest`, which holds zeros, the greatest length of a path to each vertex, and to
// `queue` the vertices in topological order, without those on cycles or behind them. The result
// is the number of vertices in `queue`.
int64_t longest_paths(int type, const CompressedRows *rows, const void *lengths,
                      int64_t lengths_size, void *longest, int64_t longest_size, int32_t *queue,
                      int64_t queue_size, int64_t *watch, int64_t watch_size);
// Write to `parent`, where each vertex is its own, the smallest vertex from which an edge completes
// a longest path to it.
int64_t longest_path_parents(int type, const CompressedRows *rows, const void *lengths,
                             int64_t lengths_size, const void *longest, int64_t longest_size,
                             int64_t *parent, int64_t parent_size, int64_t *watch,
                             int64_t watch_size);
// Write the edges in rows, each in that of its end of lower degree: row offsets, that end, and
// the other; and the number of the edge of each entry. The result is 0, or ASYMMETRIC.
int64_t oriented_edges(const CompressedRows *rows, int64_t *ends, int64_t ends_size, int32_t *low,
                       int64_t low_size, int32_t *high, int64_t high_size, int32_t *number,
                       int64_t number_size);
// Count for each edge the triangles whose vertex of lowest degree is one of these `vertices`.
int64_t edge_supports(const CompressedRows *higher, const Range *vertices, int32_t *support,
                      int64_t support_size, int64_t *watch, int64_t watch_size);
// Mark in `stays` the edges that stay when those of a support below `least` are removed, again
// and again.
int64_t truss_edges(const CompressedRows *rows, int64_t least, const int32_t *number,
                    int64_t number_size, const int32_t *low, int64_t low_size, const int32_t *high,
                    int64_t high_size, int32_t *support, int64_t support_size, _Bool *stays,
                    int64_t stays_size, int64_t *watch, int64_t watch_size);

// --- PageRank (pagerank_rounds.cpp) --------------------------------------------------------------
// Write to `y`, for these vertices, what arrives along the edges, and its sum to `total`.
int64_t gather_ranks(int type, const CompressedRows *rows, const void *factors,
                     int64_t factors_size, const void *share, int64_t share_size, void *y,
                     int64_t y_size, const Range *vertices, double *total, int64_t total_size);
// Write the ranks of these vertices, and what leaves each, from what has arrived. The sum of the changes
// goes to `total`.
int64_t update_ranks(int type, const void *y, int64_t y_size, double left, const void *sink,
                     int64_t sink_size, const void *teleport, int64_t teleport_size,
                     const void *rate, int64_t rate_size, void *x, int64_t x_size, void *share,
                     int64_t share_size, const Range *vertices, double *total, int64_t total_size);
// Do rounds of PageRank until they end by the rule. The changes of the last go to `change`. The result
// is the number of rounds.
int64_t iterate_ranks(int type, const CompressedRows *rows, const void *factors,
                      int64_t factors_size, const void *sinks, int64_t sinks_size,
                      const void *teleports, int64_t teleports_size, const void *rates,
                      int64_t rates_size, void *ranks, int64_t ranks_size, double whole,
                      const StopRule *rule, int64_t threads, double *change, int64_t change_size,
                      int64_t *watch, int64_t watch_size);

// The bytes that each of the processes of one host needs in shared memory for the next loop, with
// `each` for a rank.
int64_t window_of_ranks(const Partition *graph, int64_t each);
// Do rounds of PageRank over the rows of the processes of one host until they end by the rule. The
// changes of the last, of all vertices, go to `change`. `traffic` gets the bytes sent, the
// meetings, and the nanoseconds waited; `unread` says that nobody reads any more what an earlier
// loop has left in the window. The result is the number of rounds, or BROKEN.
int64_t shared_ranks(int type, const CompressedRows *rows, const void *factors,
                     int64_t factors_size, const Meeting *meeting, _Bool unread, const void *sinks,
                     int64_t sinks_size, const void *teleport, int64_t teleport_size,
                     const void *rates, int64_t rates_size, void *ranks, int64_t ranks_size,
                     double whole, const StopRule *rule, double *change, int64_t change_size,
                     int64_t *traffic, int64_t traffic_size, int64_t *watch, int64_t watch_size);

// --- power iterations (power_iteration.cpp) ------------------------------------------------------
// Do rounds of hubs and authorities from `hub` until the changes of the hubs, whose sum is 1, end them
// by the rule. `factors` are those of the edges, `factors_in` the same in the order of `in`. The
// changes of the last round go to `change`. The result is the number of rounds. Steps of another method may
// come between rounds, and count as rounds; the last one is a round.
int64_t iterate_hits(const CompressedRows *out, const double *factors, int64_t factors_size,
                     const CompressedRows *in, const double *factors_in, int64_t factors_in_size,
                     double *hub, int64_t hub_size, double *authority, int64_t authority_size,
                     const StopRule *rule, int64_t threads, double *change, int64_t change_size,
                     int64_t *watch, int64_t watch_size);
// Do rounds of x + x A, scaled to the Euclidean norm 1, as `iterate_hits` does its rounds; steps come
// between them only with `steps`, for which A is symmetric. The result is 0 if the square of a norm is not
// between `least` and `largest`.
int64_t iterate_eigenvector(const CompressedRows *in, const double *factors, int64_t factors_size,
                            double *x, int64_t x_size, double least, double largest, _Bool steps,
                            const StopRule *rule, int64_t threads, double *change,
                            int64_t change_size, int64_t *watch, int64_t watch_size);
// Do rounds of base + alpha x A, as `iterate_hits` does its rounds.
int64_t iterate_katz(const CompressedRows *in, const double *factors, int64_t factors_size,
                     double alpha, const double *base, int64_t base_size, double *x, int64_t x_size,
                     const StopRule *rule, int64_t threads, double *change, int64_t change_size,
                     int64_t *watch, int64_t watch_size);

// --- sweeps over a contraction (contraction.cpp) -------------------------------------------------
// Write to `found`, in order, the eliminated vertices from which downward arcs lead to the places
// in `at`. The result is the number of these ancestors.
int64_t ancestors(const CompressedRows *arcs, const int32_t *at, int64_t at_size, int32_t *found,
                  int64_t found_size);
// Write to `x` the lengths of the shortest upward paths from one start in each lane. `reached`
// marks the vertices with such a path in any lane.
int64_t upward_sweep(int type, const CompressedRows *arcs, const void *lengths,
                     int64_t lengths_size, const int32_t *starts, int64_t starts_size,
                     const TableSweep *sweep, void *x, int64_t x_size, _Bool *reached,
                     int64_t reached_size);
// Multiply the part of `x` that belongs to the core by the core's table of distances, under
// min.+.
int64_t core_product(int type, const void *core, int64_t core_size, const TableSweep *sweep,
                     void *x, int64_t x_size, const _Bool *reached, int64_t reached_size);
// Write to `x` the distances of the wanted vertices, from those of the vertices above them.
int64_t downward_sweep(int type, const CompressedRows *arcs, const void *lengths,
                       int64_t lengths_size, const int32_t *wanted, int64_t wanted_size,
                       const TableSweep *sweep, void *x, int64_t x_size, const _Bool *reached,
                       int64_t reached_size);
// Write the first lanes of `x` as rows of the table, as many as it has, in the order of `at`.
int64_t table_rows(const TableSweep *sweep, int type, const void *x, int64_t x_size,
                   const int32_t *at, int64_t at_size, int type_of_rows, void *rows,
                   int64_t rows_size);
// Write single entries of `x` to their places in the answer.
int64_t table_pairs(const TableSweep *sweep, int type, const void *x, int64_t x_size,
                    const int32_t *at, int64_t at_size, const int64_t *lane, int64_t lane_size,
                    const int64_t *place, int64_t place_size, int type_of_out, void *out,
                    int64_t out_size);

// --- moves between communities (moves.cpp) -------------------------------------------------------
// Do a sweep of moves between communities. It changes their state, and writes the gain of each
// vertex that moved to `gain`, which holds zeros.
int64_t moving_sweep(const CompressedRows *rows, const double *values, int64_t values_size,
                     const Turns *turns, const Scores *scores, const Communities *state,
                     double *gain, int64_t gain_size, int64_t *watch, int64_t watch_size);
// Write to `turn` a random turn for each vertex: its rank, which is below 2^31, times `factor`, modulo
// 2^31, over `width`.
int64_t turns_of_ranks(const int64_t *rank, int64_t rank_size, uint64_t factor, int64_t width,
                       uint8_t *turn, int64_t turn_size);
// Write the sum of each row, and to `self_loops` the sum of the self-loops. The result is the number
// of self-loops.
int64_t row_sums(const CompressedRows *rows, const double *values, int64_t values_size,
                 double *sums, int64_t sums_size, double *self_loops, int64_t self_loops_size);
// Number the labels in use from 0 in their order, and write its number for each vertex. The
// result is the number of labels in use.
int64_t number_labels(const int32_t *label, int64_t label_size, int32_t *number,
                      int64_t number_size);
// Add up the edges between communities and what is known of their members. Numbers are below the
// size of the sums of `k`; the ranks hold the largest number before. The columns of a row are in no
// order. The result is the number of edges.
int64_t merge_rows(const CompressedRows *rows, const double *values, int64_t values_size,
                   const Members *members, const MergedRows *merged, int64_t *watch,
                   int64_t watch_size);
// Write to `within` the sum of the values between equal labels.
int64_t weight_within(const CompressedRows *rows, const double *values, int64_t values_size,
                      const int32_t *label, int64_t label_size, double *within,
                      int64_t within_size);

// --- meetings of processes (processes.cpp) -------------------------------------------------------
// Say that this process has come to the next meeting; the result is for `wait_for_all`.
int64_t arrive(const MeetingPoint *at);
// Wait until all have come to where this one has arrived. The result is 1 then, 0 after so many
// microseconds, and BROKEN if the meeting is.
int64_t wait_for_all(int64_t microseconds, const MeetingPoint *at, int64_t arrived);
// Break the next meeting, so that no one waits for this process.
int64_t give_up_meeting(const MeetingPoint *at);

// --- levels of a search over distributed rows (distributed_levels.cpp) ---------------------------
// Follow the edges that leave the frontier, and write the vertices that are not `seen` as lists
// for one process after another, with the vertex that the edge leaves. `counts`, 0 at first, gets
// how many are in each. The result is the number in all.
int64_t push_to_owners(const CompressedRows *rows, const OwnRows *own, const int32_t *frontier,
                       int64_t frontier_size, uint8_t *seen, int64_t seen_size, int32_t *places,
                       int64_t places_size, int32_t *tails, int64_t tails_size, int64_t *counts,
                       int64_t counts_size);
// Append the vertices that are found in a round to `next`, and add the number of edges that
// leave them to `edges`. The result is the number in `next`.
int64_t take_found(const Queue *next, int64_t round, const int32_t *places, int64_t places_size,
                   const int32_t *tails, int64_t tails_size, const int64_t *begins,
                   int64_t begins_size, int32_t *level, int64_t level_size, int32_t *before,
                   int64_t before_size, int64_t *edges, int64_t edges_size);
// Look for a neighbour in the frontier for each own vertex without a level, write those that have
// one to `next`, and add the number of edges that leave them to `edges`. `gathered` has the
// bitmaps of the frontier of all processes. The result is the number in `next`.
int64_t pull_from_all(const CompressedRows *back, const OwnRows *own, int64_t round,
                      const uint8_t *gathered, int64_t gathered_size, const int64_t *begins,
                      int64_t begins_size, uint8_t *seen, int64_t seen_size, int32_t *level,
                      int64_t level_size, int32_t *before, int64_t before_size, int32_t *next,
                      int64_t next_size, int64_t *edges, int64_t edges_size);
// For closures under min.+: write the least sum for each vertex to which an edge from the frontier
// brings less than was sent before, as lists for one process after another. The result is the number
// in all.
int64_t sums_to_owners(int type, const CompressedRows *rows, const void *lengths,
                       int64_t lengths_size, const OwnRows *own, int64_t round,
                       const int32_t *frontier, int64_t frontier_size, const void *values,
                       int64_t values_size, void *sent, int64_t sent_size, int32_t *round_of,
                       int64_t round_of_size, int32_t *places, int64_t places_size, void *sums,
                       int64_t sums_size, int64_t *counts, int64_t counts_size);
// Append the vertices whose value becomes less to `next`. The result is the number in `next`.
int64_t take_less(int type, const Queue *next, int64_t round, const int32_t *places,
                  int64_t places_size, const void *sums, int64_t sums_size, void *values,
                  int64_t values_size, int32_t *level, int64_t level_size);
// Write to `tail`, which holds -1, for each own vertex the first nearer one whose edge gives exactly
// its value.
int64_t tight_tails(int type, const CompressedRows *back, const void *lengths, int64_t lengths_size,
                    const OwnRows *own, const void *distance, int64_t distance_size,
                    const _Bool *known, int64_t known_size, int64_t *tail, int64_t tail_size);

// --- levels of a search, through memory that all processes see (shared_levels.cpp) ---------------
// The bytes that each process needs in shared memory for levels.
int64_t window_of_levels(const Partition *graph);
// Do rounds of a search from a frontier that is among the vertices with a level; `next` has room for
// another one. `log` gets a line for the start and for each round. The result is the number of rounds
// done, or BROKEN.
int64_t shared_levels(const CompressedRows *rows, const CompressedRows *back,
                      const Meeting *meeting, const LevelRounds *rounds, int32_t *level,
                      int64_t level_size, int32_t *before, int64_t before_size, int32_t *frontier,
                      int64_t frontier_size, int32_t *next, int64_t next_size, uint64_t *sent,
                      int64_t sent_size, int64_t *log, int64_t log_size, int64_t *at_rest,
                      int64_t at_rest_size, int64_t *watch, int64_t watch_size);
// Do a whole search from one vertex. The vertices of this process that are reached are `known`; of
// others the parent is 0. The result is their number, or BROKEN, or DEEP. `traffic` gets the bytes
// sent, the meetings, and the nanoseconds waited.
int64_t shared_search(const CompressedRows *rows, const CompressedRows *back,
                      const Meeting *meeting, const LevelRounds *rounds, const Depth *deep,
                      int64_t source, int32_t *level, int64_t level_size, int64_t *parent,
                      int64_t parent_size, _Bool *known, int64_t known_size, int64_t *traffic,
                      int64_t traffic_size, int64_t *watch, int64_t watch_size);

// --- components, through memory that all processes see (shared_components.cpp) -------------------
// The bytes that each process needs in shared memory for components.
int64_t window_of_components(const Partition *graph);
// Write to `label` the smallest vertex in the component of each own vertex. `unread` says that
// nobody reads any more what an earlier loop has left in shared memory. The result is the number of
// trees that this process has joined to others, or BROKEN.
int64_t shared_components(const CompressedRows *rows, const Meeting *meeting, _Bool unread,
                          int64_t *label, int64_t label_size, int64_t *watch, int64_t watch_size);

// --- shortest paths, through memory that all processes see (shared_lengths.cpp) ------------------
// The bytes that each process needs in shared memory for shortest paths.
int64_t window_of_lengths(const Partition *graph);
// Do rounds, at most so many, of a closure under min.+ without negative lengths,
// in the `first` call or in a later one. `values` has the start and then the result, `frontier` and
// `count` the vertices that are next, `waits` which others have changed, `state` the bound, its width,
// the edges followed below it, and the least value that waits. The rest is as for `shared_levels`.
int64_t shared_lengths(int type, const CompressedRows *rows, const void *lengths,
                       int64_t lengths_size, const Meeting *meeting, int64_t edges_of_all,
                       _Bool first, int64_t most, void *values, int64_t values_size,
                       int32_t *frontier, int64_t frontier_size, int64_t *count, int64_t count_size,
                       uint8_t *waits, int64_t waits_size, double *state, int64_t state_size,
                       int64_t *log, int64_t log_size, int64_t *at_rest, int64_t at_rest_size,
                       int64_t *watch, int64_t watch_size);
// Find shortest paths from one vertex, and parents, by these rows and those of the edges that
// enter own vertices. The result is the number of vertices of this process that are reached, or
// NO_FOREST if some have no nearer vertex that explains their distance, or a distance is above
// `highest`. The rest is as for `shared_search`.
int64_t shared_paths(int type, const CompressedRows *rows, const void *lengths,
                     int64_t lengths_size, const CompressedRows *back, const void *along,
                     int64_t along_size, const Meeting *meeting, int64_t edges_of_all, double width,
                     double highest, const Depth *deep, int64_t source, void *distance,
                     int64_t distance_size, int64_t *parent, int64_t parent_size, _Bool *known,
                     int64_t known_size, int64_t *traffic, int64_t traffic_size, int64_t *watch,
                     int64_t watch_size);
