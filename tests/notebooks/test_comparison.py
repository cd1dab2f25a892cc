"""What counts as a change of what a notebook shows."""

from copy import deepcopy

import nbformat
import pytest

from notebooks.comparison import faults


@pytest.fixture
def kept():
    printed = nbformat.v4.new_output("stream", name="stdout", text="7 turns\n")
    drawn = nbformat.v4.new_output("display_data", {"image/png": "AAAA", "text/plain": "<Figure>"})
    told = nbformat.v4.new_output("execute_result", {"text/plain": "0.5"}, execution_count=2)
    cells = [
        nbformat.v4.new_markdown_cell("words"),
        nbformat.v4.new_code_cell("a", outputs=[printed, drawn], execution_count=1),
        nbformat.v4.new_code_cell("b", outputs=[told], execution_count=2),
    ]
    return nbformat.v4.new_notebook(cells=cells)


def test_the_same_is_no_fault(kept):
    assert faults(kept, deepcopy(kept)) == []


def test_pixels_may_differ(kept):
    made = deepcopy(kept)
    made.cells[1].outputs[1].data["image/png"] = "BBBB"
    assert faults(kept, made) == []


def test_other_text_is_a_fault(kept):
    made = deepcopy(kept)
    made.cells[1].outputs[0].text = "8 turns\n"
    made.cells[2].outputs[0].data["text/plain"] = "0.6"
    found = faults(kept, made)
    assert [fault.partition(":")[0] for fault in found] == ["cell 1", "cell 2"]
    assert "-7 turns\n+8 turns" in found[0]
    assert "-0.5\n+0.6" in found[1]


def test_an_output_more_or_less_or_of_another_kind_is_a_fault(kept):
    for change in (
        lambda outputs: outputs.pop(),
        lambda outputs: outputs.append(deepcopy(outputs[0])),
        lambda outputs: outputs[1].data.pop("image/png"),
    ):
        made = deepcopy(kept)
        change(made.cells[1].outputs)
        assert len(faults(kept, made)) == 1


def test_where_a_cell_varies_only_the_kinds_count(kept):
    kept.cells[1].metadata["tags"] = ["varies"]
    made = deepcopy(kept)
    made.cells[1].outputs[0].text = "8 turns\n"
    made.cells[1].outputs[1].data["text/plain"] = "<Figure 2>"
    assert faults(kept, made) == []
    made.cells[1].outputs.pop()
    assert len(faults(kept, made)) == 1


def test_a_warning_is_a_fault_even_if_it_was_committed(kept):
    kept.cells[2].outputs.append(nbformat.v4.new_output("stream", name="stderr", text="old\n"))
    assert faults(kept, deepcopy(kept)) == ["cell 2: found a warning, expected none:\nold\n"]


@pytest.mark.parametrize("counts", [(1, 3), (2, 1), (1, None)])
def test_cells_that_were_not_run_in_order_are_a_fault(kept, counts):
    made = deepcopy(kept)
    for cell, count in zip(kept.cells[1:], counts, strict=True):
        cell.execution_count = count
    assert [fault.partition(":")[0] for fault in faults(kept, made)] == ["cells"]
