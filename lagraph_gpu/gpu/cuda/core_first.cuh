// The closure x = x₀ ⊕ (x ⊕.⊗ A) in order of value, for graphs in which few vertices have most of the
// edges: the core is settled first, then the rest pulls.
//
// A step lies between two barriers of the grid. While the vertices reached have fewer than `share` of
// the edges, the bound moves a width beyond the best product known, and what is within it is pushed
// until nothing improves (light.cuh). Then all of it is final. Whoever is better than the nearest hub
// walks the rest of its few edges; the others need not, for the rest pulls (pull_rest in
// remainder.cuh), and the nearest hub bounds what may come. After some rounds of that few vertices
// change, and these push, in a second launch of this kernel.
#pragma once
#include "grid.cuh"
#include "light.cuh"

// Where a closure stands. Each block keeps an account of its own, by its first thread: all blocks read
// the same, so they agree.
template <class Z> struct Course {
    unsigned step, bucket;  // bucket: how often the bound has moved
    double width;
    Count before, items;    // how much had been reached; what is worked off in this step
    Z bound;                // who is as good is final
    bool settles;           // the core; else it walks what is left, or a second launch finishes
    bool over, queued, moves;  // does the bound move, or the phase change?
    Count* line;            // of the log
};

// The start is one value at `only`, or where `to` leads from there if that is not null; or, if `only` is
// negative, the entries of `start`. `width` is negative for a maximum. Of the queue there are two generations of `room` items, and of
// words_of(n) words in `bits`, with those who pull again behind them; `reached` has room for n. Of
// most words of `bests`, which hold what a fold starts from, there is a count: two generations of what
// is beyond the bound, the hub, three of what a pull changed. counts: three for the queue, those six,
// what was reached and its edges, 1 if a NaN was met or a sum wrapped, the number of steps, of those
// before the rest pulls (0 if none is left), and of pulls. They, the bitmaps, arrivals and the log are
// 0 at first. `heaviest` is the worst weight.
// log, if it is not null, gets {clock at the beginning, after the last step, at the end, 0}, and then
// {1 for a pull, vertices, edges, clock} of each of the first `logged` steps.
template <class S, bool sorted>
__global__ void __launch_bounds__(sizeof(typename S::Z) + sizeof(typename S::Offset) > 8 ? 192 : 256, 2)
    core_first(bool finishes, Index n, int piece, int leaf, int hub, const typename S::Offset* indptr,
               const Index* indices, const typename S::A* values, int stride, Index only,
               typename S::Z value, const Index* to, const Word* start_bits, const typename S::Z* start,
               Word* x_bits, typename S::Z* x, long long* reached,
               Index* cursors, long long* items, Count room, Word* bits, typename S::Z* bests,
               Count* counts, unsigned* arrivals, double width, Count share,
               typename S::A heaviest, Index logged, Count* log) {
    using Z = typename S::Z;
    __shared__ Bench<Z> desk;
    __shared__ Course<Z> course;
    const Grid grid{arrivals};
    const Index words = words_of(n);
    const bool leads = threadIdx.x == 0, leads_all = leads && blockIdx.x == 0;
    if (leads_all && log != nullptr && !finishes) log[0] = clock64();
    const Queues queues{items, room, bits, words, counts};
    const auto best = [=](unsigned i) { return best_of(bests, counts, i); };
    Light<S, sorted> push{{{{}, counts + STRANGE}, x, x_bits}, {indptr, leaf, &desk},
                          n, piece, hub, indices, values, stride, cursors, &desk};
    const Count rest = finishes ? read_count(counts + REST) + read_count(counts + PULLS) : 0;
    if (leads) {
        desk.clear(S::start());
        desk.reached.count = 0;
        desk.degrees = 0;
        desk.into = queues.of(unsigned(rest));
        desk.all = Pile{reached, nullptr, counts + REACHED};
        desk.lists = true;
        desk.heard = false;
        desk.beyond.clear(S::start());
        desk.hub.clear(S::start());
        course = {unsigned(rest), 0, width, 0, 0, S::start(), !finishes, false, false, false, nullptr};
    }
    __syncthreads();
    if (!finishes) push.begin(to == nullptr ? only : to[only], value, start_bits, start);
    while (!finishes || rest > 0) {
        // What the block has gathered goes to the lists.
        desk.queued.flush(desk.into.items, desk.into.count);
        desk.reached.flush(desk.all.items, desk.all.count);
        if (leads) {
            push.tell(desk.beyond, best(course.bucket % 2));
            push.tell(desk.hub, best(HUB_BEST));
            if (desk.degrees > 0) atomicAdd(counts + EDGES, desk.degrees);
            desk.degrees = 0;
            desk.count_into(course.line);
        }
        grid.wait();

        // What comes next follows from what no block changes before all have read it.
        if (leads) {
            Course<Z>& c = course;
            c.items = read_count(queues.of(c.step).count);
            c.queued = c.items > 0;
            c.moves = !c.queued && c.settles;
            if (c.moves) {
                const Best<Z> beyond = best(c.bucket % 2), nearest_hub = best(HUB_BEST);
                c.over = !beyond.any();
                c.items = read_count(desk.all.count);
                desk.lists = c.bucket == 0 || read_count(counts + EDGES) < share || c.bound == S::start();
                if (desk.lists) {
                    if (c.bucket > 0 && c.items < 2 * c.before) c.width += c.width;
                    c.before = c.items;
                    c.bound = push.beyond(beyond.read(), c.width);
                    ++c.bucket;
                } else if (!c.over) {
                    c.settles = false;
                    desk.least = nearest_hub.any() ? S::add(c.bound, nearest_hub.read()) : c.bound;
                }
            } else {
                c.over = !c.queued;
            }
            c.line = log == nullptr || c.step >= unsigned(logged) ? nullptr : log + 4 * (c.step + 1);
            desk.from = queues.of(c.step);
            desk.into = queues.of(c.step + 1);
            desk.bound = c.settles ? c.bound : S::start();
            desk.heard = c.line != nullptr;
            if (blockIdx.x == 0 && c.line != nullptr && !c.over) {
                c.line[1] = c.items;
                c.line[3] = clock64();
            }
            if (blockIdx.x == 0) *queues.of(c.step + 2).count = 0;
            ++c.step;
        }
        __syncthreads();
        if (course.over) break;
        if (course.moves) {
            grid.wait();
            if (leads_all) best((course.bucket + 1) % 2).clear(S::start());
        }
        push.work(static_cast<unsigned>(course.items), !course.queued);
    }

    // What was not walked might have wrapped: if so, the heaviest edge from the farthest does.
    if (finishes && !is_floating<Z>) {
        for (Index word = warp_id(); word < words; word += warp_count()) {
            const Index j = (word << 5) + lane_id();
            if (present(x_bits, j) && j < n) push.admits(x[j], S::step(x[j], 0, &heaviest, 0, 0));
        }
    }
    if (leads_all && (!finishes || rest > 0)) counts[STEPS] = course.step - 1;
    if (leads_all && !finishes && !course.settles) {  // the rest is left, and all queues are empty
        counts[REST] = course.step - 1;
        *best(BOUND).value = course.bound;
        *best(LEAST).value = desk.least;
    }
    if (leads_all && log != nullptr) log[1] = log[2] = clock64();
}
