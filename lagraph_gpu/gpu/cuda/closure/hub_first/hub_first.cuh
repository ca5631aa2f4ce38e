// The closure x = x₀ ⊕ (x ⊕.⊗ A) in order of value, for graphs in which few vertices have most of
// the edges: hubs are settled first, then the other vertices pull.
//
// A step is the time between two barriers of the grid. While the vertices reached have fewer than
// `share` of the edges (or half of that, if no hub is among them), the bound moves a width beyond the
// best product known, and values within
// it are pushed until few improve (bounded_push.cuh). Within the last bound they are pushed until
// none improves, and all of them are final. If ⊗ returns one of its operands, one width holds most of
// the graph; then each bound is pushed to its end, and pushing ends when the vertices reached have the
// share `within`. The vertices still queued are left to the pulls, and a vertex is final if it is as
// good as the best value beyond the bound was when the bound moved.
// A vertex pushes along the rest of its edges if it is better than the nearest hub, and than the last
// bound within which few edges lay: in a graph without hubs nearly all vertices reached are within the
// last widths. The others need not, because their neighbours pull (bottom_up_round.cuh), and what is
// pushed bounds the values that are still to come. After some rounds of pulls few vertices change, and
// these push, in a second launch of this kernel.
// See docs/decisions/hub-first.md.
#pragma once
#include "core/grid.cuh"
#include "closure/hub_first/bounded_push.cuh"
#include "core/grid_stride.cuh"

constexpr Count FEW_EDGES = 8;  // the edges within a bound are few if these times as many are below `share`
constexpr Count FEW_QUEUED = 8; // the bound moves if these times the vertices queued are fewer than those reached
constexpr Count HUBLESS = 2;    // `share` over this is enough if no hub is reached
constexpr Count SMALL_CORE = 4096;  // so few vertices take no longer than a barrier

// A width that grows doubles unless the vertices reached grow by this factor when the bound moves.
__device__ inline Count growth(Count reached) { return reached < SMALL_CORE ? 4 : 2; }

// The progress of a closure. The first thread of each block keeps its own copy. All blocks read the
// same counts, so the copies agree.
template <class S> struct StepState {
    using Z = typename S::Z;

    unsigned step, bucket;  // bucket: how often the bound has moved
    double width;
    Count queued, before;   // the items of the queue; the vertices reached when the bound moved before
    Count reached, edges;   // the vertices reached so far, and their out-edges
    Partial<S> beyond, hub; // the best beyond the bound; the nearest hub
    Partial<S> early;       // the last bound within which few edges lay
    Z bound, sure;          // values as good as the bound become final; those as good as `sure` are
    bool settles;           // hubs by value; else the remaining edges are walked, or a second launch finishes
    bool over, moves;       // does the bound move, or the phase change? Then all vertices reached push on
    bool leaves;            // the vertices queued are left to the pulls
    Count* line;            // of the log
};

// x₀ may have `many` entries, or is a point. `width` is negative for a maximum. `list` has room for n vertices. The
// counts of the queues are 0 at first, as are the bitmaps and the log, the bests what a fold starts from.
// `heaviest` is the worst weight. The log's lines are {1 for a pull, vertices, edges, clock}.
template <class S, class Edges, bool with_parents, bool many = false>
__global__ void __launch_bounds__(is_large<S> ? HUB_FIRST_WIDE_BLOCK : HUB_FIRST_BLOCK, 2)
    hub_first(bool finishes, Index n, Index n_connected, int piece, int leaf_degree, int hub,
              const MinEdge<typename S::A>* min_edges, CsrOf<S, typename Edges::Column> A,
              Start<typename S::Z> start, SparseOutput<typename S::Z> x, Origin* origins, long long* list,
              Index* cursors, StepQueues<typename S::Z> queues, double width, Count share, Count within,
              bool grows, typename S::A heaviest, KernelLog log) {
    using Z = typename S::Z;
    __shared__ HubFirstPushState<Z> push_state;
    __shared__ StepState<S> step_state;
    Count* const counts = queues.counts;
    Index* const reached = reinterpret_cast<Index*>(list);
    const Grid grid{reinterpret_cast<unsigned*>(counts + ARRIVALS)};
    const bool leads = threadIdx.x == 0, leads_all = leads && blockIdx.x == 0;
    if (leads_all && log.wanted() && !finishes) log.lines[0] = now();
    BoundedPush<S, Edges, with_parents> push{
        {{{{}, counts + UNORDERED}, x.values, x.bits}, {min_edges, leaf_degree, &push_state}, n, hub, cursors,
         &push_state, n_connected, {origins}},
        piece, A.indptr, {{A.indices, A.values, A.stride}}};
    const Count rest = finishes ? read_count(counts + REST) + read_count(counts + PULLS) : 0;
    if (leads) {
        push_state.clear(S::start());
        push_state.reached.count = 0;
        push_state.degrees = 0;
        push_state.into = queues.queue(unsigned(rest));
        push_state.all = reached;
        push_state.all_count = queues.counts_of(0) + REACHED;
        push_state.lists = true;
        push_state.settles = !finishes;
        push_state.has_log = false;
        push_state.beyond.clear(S::start());
        push_state.hub.clear(S::start());
        step_state = {unsigned(rest), 0, width, 0, 0, 0, 0, nothing<S>(), nothing<S>(), nothing<S>(),
                      S::start(), S::start(), !finishes, false, false, false, nullptr};
    }
    __syncthreads();
    if (!finishes) push.template begin<many>(start.placed());
    while (!finishes || rest > 0) {
        // What the block has gathered and noted goes where all blocks read it.
        push_state.flush();
        if (leads) {
            push.publish(push_state.beyond, queues.beyond(step_state.step));
            push.publish(push_state.hub, queues.hub(step_state.step));
            if (push_state.degrees > 0) atomicAdd(queues.counts_of(step_state.step) + EDGES, push_state.degrees);
            push_state.degrees = 0;
            push_state.count_into(counts, step_state.line);
        }
        grid.wait();

        // What comes next follows from what no block changes before all have read it.
        if (leads) {
            StepState<S>& c = step_state;
            const Count* const counted = queues.counts_of(c.step);
            const GridBest<Z> beyond = queues.beyond(c.step), nearest_hub = queues.hub(c.step);
            const Count more = read_count(counted + REACHED), edges = read_count(counted + EDGES);
            const Partial<S> farther{beyond.read(), beyond.any()};
            const Partial<S> nearer{nearest_hub.read(), nearest_hub.any()};
            c.reached += more;
            c.edges += edges;
            if (farther.has) c.beyond.fold(farther.value);
            if (nearer.has) c.hub.fold(nearer.value);
            c.queued = read_count(counted);
            const Count enough = c.hub.has ? share : share / HUBLESS;
            const bool goes_on = within == NEVER_PULLS && c.edges < enough && c.beyond.has;
            c.moves = c.settles && (c.queued == 0 || (goes_on && c.queued * FEW_QUEUED < c.reached));
            c.over = c.queued == 0 && !(c.settles && (c.beyond.has || c.leaves));
            c.leaves = c.queued > 0 && c.settles && c.edges >= within && !(c.sure == S::start());
            if (c.leaves) {
                push_state.lists = false;
                push_state.least = c.bound = c.sure;
            }
            if (c.moves) {
                push_state.lists = c.bucket == 0 || c.edges < enough || c.bound == S::start();
                if (push_state.lists) {
                    if (c.bucket > 0 && c.edges * FEW_EDGES < enough) c.early = {c.bound, true};
                    if (grows && c.bucket > 0 && c.reached < growth(c.reached) * c.before) c.width += c.width;
                    c.before = c.reached;
                    c.sure = c.beyond.value;
                    c.bound = push.beyond(c.beyond.value, c.width);
                    ++c.bucket;
                    c.beyond = nothing<S>();
                } else if (!c.over) {
                    c.settles = false;
                    push_state.least = c.bound;
                    if (c.hub.has) push_state.least = S::add(push_state.least, c.hub.value);
                    if (c.early.has) push_state.least = S::add(push_state.least, c.early.value);
                }
            }
            c.line = log.line(c.step, 4);
            push_state.from = queues.queue(c.step);
            push_state.into = queues.queue(c.step + 1);
            push_state.all = reached + c.reached;
            push_state.all_count = queues.counts_of(c.step + 1) + REACHED;
            push_state.bound = c.settles && !c.leaves ? c.bound : S::start();
            push_state.has_log = c.line != nullptr;
            if (blockIdx.x == 0 && c.line != nullptr && !c.over) {
                c.line[1] = c.queued + (c.moves ? c.reached : 0);
                c.line[3] = now();
            }
            if (blockIdx.x == 0) queues.clear(c.step + 2, S::start());
            ++c.step;
        }
        __syncthreads();
        if (step_state.over) break;
        push.template work<false>(push_state.from.items, static_cast<unsigned>(step_state.queued));
        if (step_state.moves) push.template work<true>(reached, static_cast<unsigned>(step_state.reached));
    }

    // Sums along edges that were not walked might have wrapped. If so, the heaviest edge from the
    // farthest vertex wraps.
    if (finishes && !is_floating<Z>) {
        for (Index word : warp_stride<Index>(queues.words)) {
            const Index j = (word << 5) + lane_id();
            if (present(x.bits, j) && j < n) push.Order<S>::admits(
                x.values[j], S::step(x.values[j], 0, &heaviest, 0, 0));
        }
    }
    if (leads_all && (!finishes || rest > 0)) counts[STEPS] = step_state.step - 1;
    if (leads_all && !finishes && !step_state.settles) {  // the pulls follow, and all queues are empty
        counts[REST] = step_state.step - 1;
        *word_of(queues.bests, BOUND) = step_state.bound;
        *word_of(queues.bests, LEAST) = push_state.least;
    }
    if (leads_all && log.wanted()) log.lines[1] = log.lines[2] = now();
}
