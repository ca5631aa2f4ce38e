"""How deep a graph is, as far as its searches have shown.

From the rows one can guess how many rounds the searches of a graph take (`closure_order`), but a
path that ends in a star has the rows of a power-law graph. So a search is tried for as many rounds
as cost about what the other way would. What it shows is noted here, beside the positions of the
entries, and later searches need no trial. These are the questions:

- `deep`, of `gpu/closure/depth_trials.py`: Is a queue for each block faster than rounds? Yes if a
  search takes more rounds than are tried. No after `TRIALS` searches that end within them, if many
  edges leave each vertex; if few do, the next search may start beside a long path, and the question
  stays open (decisions 0272 and 0279, docs/decisions/deep-graphs.md).
- `narrow`, of `gpu/on_host/narrow_graphs.py`: Does a search have very many levels of few
  vertices, so that the host may search it sooner? No if the levels that are tried have many
  vertices, and after `TRIALS` searches that end within them; else the whole search answers, and
  `levels` is their number (decisions 0269 and 0312, docs/decisions/host-overhead.md).
- `sooner_on_host`, of the same module: Does the host find longest paths sooner, and core numbers?
  The first call for them answers (decisions 0282 and 0447, docs/decisions/deep-graphs.md).
- `many_rounds`, of `gpu/multi_source/tables.py` and `gpu/fused/brandes.py`: Do searches that go in
  step take more rounds than there is room to count? Yes if one does; nothing answers no.

An answer stays. A matrix with the same positions and other values shares it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lagraph_gpu.planning.host_or_device import HostDeviceCost

TRIALS = 4
"""So many searches that end too soon to answer a question answer it with no."""


@dataclass(eq=False)
class Question:
    """A question about a graph that its searches answer, once for all."""

    answer: bool | None = None
    """None while it is open."""
    ended_soon: int = 0
    """The number of searches that ended too soon to answer it."""

    @property
    def worth_a_trial(self) -> bool:
        """Whether so few searches have ended too soon that another one may still answer it."""
        return self.ended_soon < TRIALS

    def note_early_end(self, settles: bool = True) -> None:
        """Note a search that ended too soon to answer. Where it `settles` something, the last of
        `TRIALS` such searches answers no."""
        self.ended_soon += 1
        if settles and not self.worth_a_trial:
            self.answer = False


@dataclass(eq=False)
class Depth:
    """What the searches of a graph have shown of its depth; the head of this file says how."""

    deep: Question = field(default_factory=Question)
    narrow: Question = field(default_factory=Question)
    levels: int = 0
    """The number of levels of the search that answered `narrow`; 0 if none has."""
    sooner_on_host: dict[HostDeviceCost, bool] = field(default_factory=dict)
    """For operations of these costs; those that are open are missing."""
    many_rounds: bool = False

    @property
    def shown(self) -> bool:
        """Whether a search has taken many rounds, in step or by itself."""
        return self.many_rounds or self.deep.answer is True
