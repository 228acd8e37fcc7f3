"""bench/since.py: the server at another commit beside this tree's."""

from __future__ import annotations

import pytest
from bench import results, since
from bench.since import Beside, Cost


def test_a_row_holds_medians_and_the_ratios_of_rounds() -> None:
    before = [Cost(100e-6, 900.0), Cost(400e-6, 900.0), Cost(200e-6, 1000.0)]
    now = [Cost(50e-6, 300.0), Cost(300e-6, 310.0), Cost(220e-6, 290.0)]
    beside = Beside(before, now)
    assert beside.ratios == pytest.approx([0.5, 0.75, 1.1])
    assert beside.row("drawn") == ["drawn", "200", "220", "0.75 (0.50 .. 1.10)", "900", "300"]


def test_the_section_says_what_was_compared() -> None:
    costs = [Cost(100e-6, 900.0)]
    text = since.text("Before: a. Now: b.", {form: Beside(costs, costs) for form in since.FORMS})
    assert "## The server, before and after\n\nBefore: a. Now: b.\n" in text
    assert text.count("1.00 (1.00 .. 1.00)") == len(since.FORMS)


def test_a_whole_run_keeps_what_others_have_measured() -> None:
    old = "# How fast\n\n## Ours\n\nold\n\n## Faults\n\nnone\n"
    new = "# How fast\n\n## Ours\n\nnew\n\n## The wire\n\nlean\n"
    wanted = "# How fast\n\n## Ours\n\nnew\n\n## The wire\n\nlean\n\n## Faults\n\nnone\n"
    assert results.whole(old, new) == wanted
    assert results.whole("", new) == new


@pytest.mark.slow
def test_this_tree_can_be_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(since, "SOCKETS", 4)
    monkeypatch.setattr(since, "MOVES", 40)
    with since.servers(since.ROOT, "data") as found:
        cost = found.cost("data")
    assert cost.bytes > 100
