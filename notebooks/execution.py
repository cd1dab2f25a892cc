"""Runs a notebook from its first cell to its last, in a fresh kernel of this very Python."""

import os
from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeAlias

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from traitlets.config import Config

from red7_env.game import Red7Error
from red7_env.game.errors import shown

FOLDER: Final = Path(__file__).resolve().parent
_SECONDS: Final = 900
"""The longest that a cell may take, on a machine that does much else."""

Notebook: TypeAlias = Any
"""A notebook as nbformat keeps it: dictionaries and lists."""


class NotebookError(Red7Error):
    """A notebook that does not exist, or that fails."""


def paths(names: Sequence[str] = ()) -> list[Path]:
    """Return the files of some notebooks, of all if none is named.

    Raises:
        NotebookError: If there is none of a name.
    """
    known = {path.stem: path for path in sorted(FOLDER.glob("*.ipynb"))}
    for name in names:
        if name not in known:
            raise NotebookError(f"name: found {shown(name)}, expected some of {', '.join(known)}")
    return [known[name] for name in names or known]


def read(path: Path) -> Notebook:
    """Return the notebook in a file."""
    return nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]  # nbformat is half annotated


def text_of(notebook: Notebook) -> str:
    """Return a notebook as its file holds it."""
    text: str = nbformat.writes(notebook)  # type: ignore[no-untyped-call]
    return text + "\n"


def executed(notebook: Notebook) -> Notebook:
    """Return a notebook with what it shows now. It is run in this folder, as Jupyter does.

    Raises:
        NotebookError: If a cell fails; the message is the traceback.
    """
    made = deepcopy(notebook)
    for cell in made.cells:
        cell.metadata.pop("execution", None)
    client = NotebookClient(
        made,
        timeout=_SECONDS,
        kernel_name="python3",
        coalesce_streams=True,
        record_timing=False,
        resources={"metadata": {"path": str(FOLDER)}},
        config=Config(KernelManager={"transport_encryption": "auto"}),  # or the kernel prints a warning
    )
    with TemporaryDirectory() as own:
        try:
            client.execute(env=_environment(own))
        except CellExecutionError as error:
            raise NotebookError(str(error)) from None
    for cell in made.cells:
        if "outputs" in cell:
            cell.outputs = [output for output in cell.outputs if not _is_notice(output)]
    made.metadata = nbformat.from_dict(  # type: ignore[no-untyped-call]
        {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        }
    )
    return made


def _is_notice(output: Any) -> bool:  # noqa: ANN401 - a dictionary of nbformat
    """Tell whether an output only says that code is compiled, which depends on what was run before."""
    lines = output.text.splitlines() if output.get("name") == "stderr" else [""]
    return all(line.startswith("red7_env: compiling") for line in lines)


def _environment(own: str) -> dict[str, str]:
    """Return the environment of the kernel.

    Args:
        own: An empty folder, instead of the user's own settings and history.
    """
    return os.environ | {
        "IPYTHONDIR": own,
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
        "OMP_NUM_THREADS": "1",  # sums of networks depend on how many threads share them
        "PYTHONPATH": os.pathsep.join([str(FOLDER.parent), *filter(None, [os.environ.get("PYTHONPATH")])]),
    }
