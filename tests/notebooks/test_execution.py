"""The kernel that runs notebooks, and the command."""

import sys
from pathlib import Path

import nbformat
import pytest

from notebooks import __main__ as command
from notebooks.comparison import faults
from notebooks.execution import FOLDER, NotebookError, executed, paths

WHERE = """\
import os, sys
import agents
print(sys.executable)
print(agents.__file__)
print(os.getcwd())"""


def notebook(*sources):
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    return nbformat.v4.new_notebook(cells=cells)


def test_a_notebook_runs_in_this_python_on_this_checkout():
    made = executed(notebook(WHERE, "from matplotlib import pyplot as plt\nplt.plot([1, 2])\nplt.show()"))
    python, package, folder = made.cells[0].outputs[0].text.splitlines()
    assert Path(python).parent == Path(sys.executable).parent
    assert Path(package).parents[1] == FOLDER.parent
    assert Path(folder) == FOLDER
    assert "image/png" in made.cells[1].outputs[0].data
    assert faults(made, made) == []


def test_an_error_and_a_warning_are_found():
    warned = executed(notebook("import warnings\nwarnings.warn('old')"))
    assert len(faults(warned, warned)) == 1
    assert "old" in faults(warned, warned)[0]
    with pytest.raises(NotebookError, match="ZeroDivisionError"):
        executed(notebook("1 / 0"))


def test_that_code_is_compiled_is_no_warning():
    notice = "import sys\nprint('red7_env: compiling, once for this version', file=sys.stderr)"
    made = executed(notebook(notice, f"{notice}\nprint('old', file=sys.stderr)", "print(1)"))
    assert [len(cell.outputs) for cell in made.cells] == [0, 1, 1]
    assert len(faults(made, made)) == 1


def test_an_unknown_name_is_refused_in_one_line(capsys):
    assert command.main(["tour"]) == command.REFUSED
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == f"error: name: found 'tour', expected some of {', '.join(path.stem for path in paths())}\n"


def test_the_command_keeps_what_a_notebook_shows_and_checks_it(tmp_path, monkeypatch, capsys):
    path = tmp_path / "small.ipynb"
    nbformat.write(notebook("1 + 1"), path)
    monkeypatch.setattr(command, "paths", lambda _: [path])
    monkeypatch.setattr(command, "executed", with_output)
    assert command.main(["--check"]) == command.FAILED
    assert command.main([]) == command.WORKED
    assert command.main(["--check"]) == command.WORKED
    assert "small.ipynb: good" in capsys.readouterr().out
    path.write_text(path.read_text().replace('"2"', '"3"'))
    assert command.main(["small", "--check"]) == command.FAILED
    assert "-3\n+2" in capsys.readouterr().err


def with_output(kept):
    """Return what a kernel would make of ``1 + 1``, without one."""
    made = nbformat.from_dict(kept)
    made.cells[0].execution_count = 1
    made.cells[0].outputs = [nbformat.v4.new_output("execute_result", {"text/plain": "2"}, execution_count=1)]
    return made
