"""The page of a game: plain HTML with forms, without a script."""

from html import escape
from pathlib import Path
from typing import Final

from experiments.play.browser.desk import Sight
from experiments.replay.page import colours
from red7_env.render import picture

_STYLE: Final = Path(__file__).with_name("page.css")
_HEAD: Final = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
{refresh}<title>Red7</title>
<style>{style}</style>
</head>
<body>
<main>
"""
_FOOT: Final = "</main>\n</body>\n</html>\n"


def page(sight: Sight) -> str:
    """Return the page that shows what a person is to see, and asks for what is asked for."""
    refresh = '<meta http-equiv="refresh" content="1">\n' if sight.kind == "thinking" else ""
    head = _HEAD.format(refresh=refresh, style=colours() + _STYLE.read_text(encoding="utf-8"))
    return "".join([head, _table(sight), _told(sight), _question(sight), _FOOT])


def _table(sight: Sight) -> str:
    if sight.table is None:
        return ""
    return f'<section id="table">{picture(sight.table, names=sight.names).svg()}</section>\n'


def _told(sight: Sight) -> str:
    lines = "".join(f"<li>{escape(line)}</li>" for line in sight.told)
    return f'<ul id="told" role="log" aria-label="what happened">{lines}</ul>\n' if lines else ""


def _question(sight: Sight) -> str:
    """Return the form by which the person answers."""
    if sight.kind == "thinking":
        return '<p id="question">The others think ...</p>\n'
    if sight.kind == "closed":
        return '<p id="question">You have left the game. This page can be closed.</p>\n'
    if sight.kind == "confirm":
        asked, buttons = sight.question, _buttons([("y", "yes"), ("n", "no")])
    elif sight.kind == "next":
        asked, buttons = "The game is over.", _buttons([("n", "next game"), ("q", "leave")])
    else:
        asked, buttons = "Your move", _moves(sight) + _buttons(_helps(sight), "others")
    link = '<p><a href="replay">Step through this game</a></p>\n' if sight.over is not None else ""
    step = f'<input type="hidden" name="step" value="{sight.step}">'
    form = f"<h1>{escape(asked)}</h1>\n{step}{buttons}"
    return f'<form id="question" method="post" action="answer">\n{form}</form>\n{link}'


def _moves(sight: Sight) -> str:
    buttons = "".join(
        f'<button name="line" value="{escape(token)}"><b>{escape(token)}</b> {escape(words)}</button>'
        for token, words in sight.offered
    )
    return f'<div class="moves">{buttons}</div>'


def _helps(sight: Sight) -> list[tuple[str, str]]:
    back = [("u", "take back"), ("r", "take all back")] if sight.begun else []
    return [*back, ("h", "hint"), ("?", "rules"), ("q", "leave")]


def _buttons(answers: list[tuple[str, str]], name: str = "answers") -> str:
    buttons = "".join(f'<button name="line" value="{line}">{words}</button>' for line, words in answers)
    return f'<div class="{name}">{buttons}</div>'
