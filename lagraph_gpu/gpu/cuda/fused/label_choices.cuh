// How a row chooses a label: what each entry votes for, how votes of one label join, which label is
// best, and what changes if the row moves (see label_argmax.cuh).
// See docs/decisions/louvain.md.
#pragma once
#include "fused/label_table.cuh"

template <class Offset, class Z, bool MOVE, int VOTES> struct Choices {
    using Votes = typename Counted<Z, VOTES>::type;
    using Value = typename Held<Z, VOTES>::type;
    const Offset* indptr;
    const Offset* ends;
    const Index* indices;
    const Value* values;
    const Index* labels;
    Z* top;            // the best score, or the gain of a row that moves
    long long* winner;
    Moves<Z> moves;
    static constexpr bool moving = MOVE;
    // Do the lanes of a warp join their votes before they add them to a table? Shared memory adds whole votes by
    // itself, and where few labels are in use these have places (see counted_rows.cuh).
    static constexpr bool joins = !MOVE || VOTES != VOTES_WHOLE;
    using Found = BestLabel<Z, MOVE>;

    __device__ Value value(Offset e) const { return values[VOTES == VOTES_ALIKE ? 0 : e]; }
    // What so many votes are worth; a product is rounded, so they have been added up before.
    __device__ Z worth(Z votes) const { return VOTES == VOTES_ALIKE ? votes * values[0] : votes; }

    // v's factor of votes, which is loaded once for a row.
    __device__ Z factor(Index v) const { return MOVE ? moves.scale[v] : Z(0); }

    // The label of entry e's column, and its vote; none if there is no such entry.
    __device__ Index label(Offset e, bool there) const { return there ? labels[indices[e]] : NO_LABEL; }
    __device__ Votes vote(Offset e, bool there) const {
        if constexpr (VOTES == VOTES_ALIKE) return 1;
        else return there ? static_cast<Votes>(values[e]) : Votes(0);
    }

    // Joins the entries of the warp's lanes that have the same label: true in one lane for each label,
    // whose votes then are those of all. Only lanes of the same `subwarp` are joined.
    __device__ bool join(Index c, Votes& x, Word subwarp) const {
        const Word peers = __match_any_sync(ALL_LANES, c) & subwarp;
        if constexpr (VOTES == VOTES_ALIKE) x = __popc(peers);
        else x = fold_peers<Plus<Votes>>(c == NO_LABEL ? 0 : peers, x);
        return c != NO_LABEL && (peers & lanes_below()) == 0;
    }

    // Considers a label for v, whose own label is `mine`.
    __device__ void see(Found& best, Index v, Z factor, Index mine, Index c, Votes votes) const {
        if constexpr (MOVE) {
            if (c == mine) best.own = static_cast<Z>(votes);
            else best.take(moves.score(v, factor, c, worth(static_cast<Z>(votes))), c);
        } else {
            best.take(worth(static_cast<Z>(votes)), c);
        }
    }

    // True if the row moves, whose own label is `mine`.
    __device__ bool write(Index v, Index mine, const Found& best) const {
        Z score = best.score;
        if constexpr (MOVE) {
            const Z stay = moves.stay(v, mine, worth(best.own));
            moves.stand(v, stay, score, best.second);
            score -= stay;
            if (best.label == NO_LABEL || !(score > moves.min_gain)) return false;
            mark(moves.movers, v);
        }
        top[v] = score;
        winner[v] = best.label;
        return MOVE;
    }

    // The row moves, so the margin of the choice of an entry's column is reduced.
    __device__ void leave(Index column, Z votes) const { fold_into<Plus<Z>>(moves.margin + column, -votes); }
};
