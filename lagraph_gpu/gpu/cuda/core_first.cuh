// The closure x = x₀ ⊕ (x ⊕.⊗ A) in order of value, in one launch, for graphs in which few vertices
// have most of the edges: the core is settled first, and the rest pulls.
//
// A step lies between two barriers of the grid. While the vertices reached have fewer than `share` of
// the edges, the bound moves a width beyond the best product known, and what is within it is pushed
// until nothing improves (light.cuh). Then all of it is final. Whoever is better than the nearest hub
// walks the rest of its few edges; the others need not, for the rest pulls (remainder.cuh), and the
// nearest hub bounds what may come. After some rounds of that few vertices change, and these push.
#pragma once
#include "grid.cuh"
#include "light.cuh"
#include "remainder.cuh"

// Where a closure stands. Each block keeps an account of its own, by its first thread: all blocks read
// the same, so they agree.
template <class Z> struct Course {
    unsigned step, bucket;  // bucket: how often the bound has moved
    int round;              // of pulls, from 1; 0: the core walks what is left; before, it is settled
    double width;
    Count before, items;    // how much had been reached; what is worked off in this step
    Z bound;                // who is as good is final
    bool over, queued, moves;  // does the bound move, or the phase change?
    Count* line;            // of the log
};

// `width` is negative for a maximum. Of the queue there are two generations of `room` items, and of
// words_of(n) words in `bits`, with those who pull again behind them; `reached` has room for n. Of
// each word of `bests`, which hold what a fold starts from, there is a count: two generations of what
// is beyond the bound, the hub, three of what a pull changed. counts: three for the queue, those six,
// what was reached and its edges, 1 if a NaN was met or a sum wrapped, and the number of steps. They,
// the bitmaps and arrivals are 0 at first. `heaviest` is the worst weight.
// log, if it is not null, gets {clock at the beginning, after the last step, at the end, 0}, and then
// {1 for a pull, vertices, edges, clock} of each of the first `logged` steps.
template <class S, bool sorted>
__global__ void __launch_bounds__(sizeof(typename S::Z) + sizeof(typename S::Offset) > 8 ? 192 : 256, 2)
    core_first(Index n, int piece, int leaf, int hub, const typename S::Offset* indptr,
               const Index* indices, const typename S::A* values, int stride,
               const typename S::Offset* in_indptr, const Index* in_indices,
               const typename S::A* in_values, int in_stride, Index longest, Index pieces,
               const Index* long_rows, const typename S::Offset* firsts, const Word* start_bits,
               const typename S::Z* start, Word* x_bits, typename S::Z* x, long long* reached,
               Index* cursors, long long* items, Count room, Word* bits, typename S::Z* bests,
               Count* counts, unsigned* arrivals, double width, Count share, int pulls,
               typename S::A heaviest, Index logged, Count* log) {
    using Z = typename S::Z;
    __shared__ Bench<Z> desk;
    __shared__ Course<Z> course;
    const Grid grid{arrivals};
    const Index words = words_of(n);
    const bool leads = threadIdx.x == 0, leads_all = leads && blockIdx.x == 0;
    if (leads_all && log != nullptr) log[0] = clock64();
    const auto queue = [=](unsigned g) {
        return Pile{items + g % 2 * room, bits + g % 2 * words, counts + g % 3};
    };
    const auto best = [=](unsigned i) { return Best<Z>{bests + i * (8 / sizeof(Z)), counts + 3 + i}; };
    constexpr unsigned hub_best = 2, change = 3;
    const Values<S> known{{{}, counts + 11}, x, x_bits};
    Light<S, sorted> push{known, n, piece, leaf, hub, indptr, indices, values, stride, cursors, &desk};
    Remainder<S, sorted> rest{{known, in_indices, in_values, in_stride, &desk, S::start()},
                              n, longest, in_indptr, pieces, long_rows, firsts, bits + 2 * words};
    if (leads) {
        desk.queued.count = desk.reached.count = 0;
        desk.degrees = desk.taken = desk.walked = 0;
        desk.into = queue(0);
        desk.all = Pile{reached, nullptr, counts + 9};
        desk.lists = true;
        desk.heard = false;
        desk.beyond.clear(S::start());
        desk.hub.clear(S::start());
        desk.changed.clear(S::start());
        course = {0, 0, -1, width, 0, 0, S::start(), false, false, false, nullptr};
    }
    __syncthreads();
    push.begin(start_bits, start);
    while (true) {
        // What the block has gathered goes to the lists.
        desk.queued.flush(desk.into.items, desk.into.count);
        desk.reached.flush(desk.all.items, desk.all.count);
        if (leads) {
            push.tell(desk.beyond, best(course.bucket % 2));
            push.tell(desk.hub, best(hub_best));
            push.tell(desk.changed, best(change + unsigned(course.round) % 3));
            if (desk.degrees > 0) atomicAdd(counts + 10, desk.degrees);
            if (course.line != nullptr && desk.taken > 0) atomicAdd(course.line + 1, desk.taken);
            if (course.line != nullptr && desk.walked > 0) atomicAdd(course.line + 2, desk.walked);
            desk.degrees = desk.taken = desk.walked = 0;
        }
        grid.wait();

        // What comes next follows from what no block changes before all have read it.
        if (leads) {
            Course<Z>& c = course;
            c.items = read_count(queue(c.step).count);
            c.queued = c.items > 0;
            c.moves = !c.queued && c.round < 0;
            if (c.moves) {
                const Best<Z> beyond = best(c.bucket % 2), nearest_hub = best(hub_best);
                c.over = !beyond.any();
                c.items = read_count(desk.all.count);
                desk.lists = c.bucket == 0 || read_count(counts + 10) < share || c.bound == S::start();
                if (desk.lists) {
                    if (c.bucket > 0 && c.items < 2 * c.before) c.width += c.width;
                    c.before = c.items;
                    c.bound = push.beyond(beyond.read(), c.width);
                    ++c.bucket;
                } else {
                    c.round = 0;
                    desk.least = nearest_hub.any() ? S::add(c.bound, nearest_hub.read()) : c.bound;
                }
            } else if (!c.queued) {
                const Best<Z> changed = best(change + c.round % 3);
                c.over = c.round == pulls || (c.round > 0 && !changed.any());
                if (c.round > 0) desk.least = c.bound = changed.read();
                desk.lists = ++c.round == pulls;
                if (blockIdx.x == 0) best(change + (c.round + 1) % 3).clear(S::start());
            }
            c.line = log == nullptr || c.step >= unsigned(logged) ? nullptr : log + 4 * (c.step + 1);
            desk.from = queue(c.step);
            desk.into = queue(c.step + 1);
            desk.bound = c.round < 0 ? c.bound : S::start();
            desk.heard = c.line != nullptr;
            if (blockIdx.x == 0 && c.line != nullptr && !c.over) {
                c.line[0] = c.round > 0 && !c.queued;
                c.line[1] = c.items;
                c.line[3] = clock64();
            }
            if (blockIdx.x == 0) *queue(c.step + 2).count = 0;
            ++c.step;
        }
        __syncthreads();
        if (course.over) break;
        if (course.moves) {
            grid.wait();
            if (leads_all) best((course.bucket + 1) % 2).clear(S::start());
        }
        if (course.round > 0 && !course.queued) rest.pull(course.round == 1, course.bound, push);
        else push.work(static_cast<unsigned>(course.items), !course.queued);
    }

    // What was not walked might have wrapped: if so, the heaviest edge from the farthest does.
    if (!is_floating<Z>) {
        for (Index word = warp_id(); word < words; word += warp_count()) {
            const Index j = (word << 5) + lane_id();
            if (present(x_bits, j) && j < n) push.admits(x[j], S::step(x[j], 0, &heaviest, 0, 0));
        }
    }
    if (leads_all) counts[12] = course.step - 1;
    if (leads_all && log != nullptr) log[1] = log[2] = clock64();
}
