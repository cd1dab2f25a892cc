"""The page of a replay: one HTML document that holds everything and loads nothing.

Style and script are allowed by their hashes and nothing else is, so nothing that a record says could run or fetch
anything, even if it were not escaped. The data are JSON in a block that no browser executes.
"""

import base64
import hashlib
import json
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any, Final

from red7_env.game.cards import COLOUR_NAMES
from red7_env.render.theme import DARK, LIGHT, Role

_FOLDER: Final = Path(__file__).with_name("page")
# So that no text of a record can end the block of data, whatever it holds.
_ESCAPES: Final = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}


def page(data: Mapping[str, Any]) -> str:
    """Return the page that shows what ``data.page_data`` has put together."""
    style = colours() + (_FOLDER / "page.css").read_text(encoding="utf-8")
    script = (_FOLDER / "page.js").read_text(encoding="utf-8")
    text = (_FOLDER / "page.html").read_text(encoding="utf-8")
    parts = {
        "title": escape(f"Red7: {data['title']}"),
        "policy": f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; base-uri 'none'",
        "style": style,
        "script": script,
        "data": json.dumps(data, separators=(",", ":")).translate(_ESCAPES),
    }
    pieces = text.split("\u00a6")  # every other piece is the name of a part
    return "".join(parts[piece] if place % 2 else piece for place, piece in enumerate(pieces))


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def colours() -> str:
    """Return the colours of both themes as style: dark where the reader's system is, or the page is told to be."""
    light, dark = _variables(LIGHT), _variables(DARK)
    cards = "".join(
        f".c{number}{{background:var(--card-{name});color:var(--print-{name})}}"
        f".out .c{number}{{background:var(--out-{name});color:var(--ink)}}"
        for number, name in enumerate(COLOUR_NAMES)
    )
    return (
        f":root{{color-scheme:light;{light}}}"
        f"@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{color-scheme:dark;{dark}}}}}"
        f":root[data-theme=dark]{{color-scheme:dark;{dark}}}{cards}"
    )


def _variables(theme: Mapping[Role, str]) -> str:
    return "".join(f"--{role}:{colour};" for role, colour in theme.items())
