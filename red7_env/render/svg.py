"""Pictures as SVG: built as text, without any library, and shown by every browser and notebook."""

import re
from collections.abc import Sequence
from html import escape
from typing import Final

from red7_env.render.scene import Box, Label, Scene, Shape
from red7_env.render.theme import DARK, LIGHT, Role, Theme, check_theme

_FONT: Final = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
_NOT_XML: Final = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that may not stand in XML, however they are written."""


def svg(scene: Scene, theme: Theme = "auto", width: float | None = None) -> str:
    """Return a picture as an ``<svg>`` element.

    Args:
        scene: The picture.
        theme: ``"light"``, ``"dark"``, or ``"auto"``: light, and dark where the reader's system is.
        width: Width in pixels at which it is shown; never more than the room there is. That of the picture if left out.

    Raises:
        ValueError: If the theme does not exist.
    """
    check_theme(theme)
    shown = scene.width if width is None else width
    size = f'width="{_number(shown)}" height="{_number(shown * scene.height / scene.width)}"'
    box = f'viewBox="0 0 {_number(scene.width)} {_number(scene.height)}"'
    title = _text(scene.title)
    about = f'role="img" aria-label="{title}" font-family="{_FONT}" style="max-width:100%;height:auto"'
    style = _style(scene.shapes) if theme == "auto" else ""
    elements = "".join(_element(shape, theme) for shape in scene.shapes)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box} class="red7 red7-{theme}" {about}>'
    return f"{head}<title>{title}</title>{style}{elements}</svg>"


def _element(shape: Shape, theme: Theme) -> str:
    return _rect(shape, theme) if isinstance(shape, Box) else _line_of_text(shape, theme)


def _rect(box: Box, theme: Theme) -> str:
    corner = f' rx="{_number(box.radius)}"' if box.radius else ""
    fill = ' fill="none"' if box.fill is None else _paint("fill", box.fill, theme)
    stroke = "" if box.stroke is None else _paint("stroke", box.stroke, theme)
    wide = f' stroke-width="{_number(box.stroke_width)}"' if box.stroke and box.stroke_width != 1 else ""
    classes = _classes(theme, fill=box.fill, stroke=box.stroke)
    place = f'x="{_number(box.x)}" y="{_number(box.y)}" width="{_number(box.width)}" height="{_number(box.height)}"'
    return f"<rect {place}{corner}{fill}{stroke}{wide}{classes}/>"


def _line_of_text(label: Label, theme: Theme) -> str:
    anchor = "" if label.anchor == "start" else f' text-anchor="{label.anchor}"'
    bold = ' font-weight="700"' if label.bold else ""
    place = f'x="{_number(label.x)}" y="{_number(label.y)}" font-size="{_number(label.size)}"'
    ink = _paint("fill", label.ink, theme)
    return f"<text {place}{anchor}{bold}{ink}{_classes(theme, fill=label.ink)}>{_text(label.text)}</text>"


def _paint(what: str, role: Role, theme: Theme) -> str:
    """Return a colour as an attribute; a style sheet goes before it, and it serves where there is none."""
    return f' {what}="{(DARK if theme == "dark" else LIGHT)[role]}"'


def _classes(theme: Theme, fill: Role | None = None, stroke: Role | None = None) -> str:
    """Return the classes by which a style sheet finds what looks different in the dark."""
    if theme != "auto":
        return ""
    named = [f"{sign}-{role}" for sign, role in (("f", fill), ("s", stroke)) if role and LIGHT[role] != DARK[role]]
    return f' class="{" ".join(named)}"' if named else ""


def _style(shapes: Sequence[Shape]) -> str:
    """Return the style sheet for readers in the dark; it names the picture's class, to leave others on a page alone."""
    fills = {shape.fill if isinstance(shape, Box) else shape.ink for shape in shapes}
    strokes = {shape.stroke for shape in shapes if isinstance(shape, Box)}
    rules = [
        f".red7-auto .{sign}-{role}{{{what}:{DARK[role]}}}"
        for sign, what, roles in (("f", "fill", fills), ("s", "stroke", strokes))
        for role in sorted(role for role in roles if role is not None)
        if LIGHT[role] != DARK[role]
    ]
    return f"<style>@media (prefers-color-scheme:dark){{{''.join(rules)}}}</style>"


def _text(text: str) -> str:
    return escape(_NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text))


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
