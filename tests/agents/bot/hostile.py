"""Bots that do one thing wrong, or right in an odd way: ``python hostile.py WAY [FILE]``."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress

WAYS = {}


def way(function):
    WAYS[function.__name__] = function
    return function


def requests() -> Iterator[dict]:
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message:
            yield message


def write(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def answer(request: dict, **changes: object) -> None:
    write(json.dumps({"id": request["id"], "move": request["moves"][0]} | changes))


def answer_all() -> None:
    for request in requests():
        answer(request)


@way
def silent() -> None:
    for _ in requests():
        pass


@way
def deaf() -> None:
    time.sleep(60)


@way
def late() -> None:
    """Answer the first request in time, the others too late."""
    for number, request in enumerate(requests()):
        time.sleep(2 * bool(number))
        answer(request)


@way
def steady() -> None:
    for request in requests():
        time.sleep(0.05)
        answer(request)


@way
def garbage() -> None:
    for _ in requests():
        write("What a fine hand!")


@way
def no_text() -> None:
    for _ in requests():
        os.write(1, b'{"id": 1, "move": "\xff\xfe\x00"}\n')


@way
def no_object() -> None:
    for request in requests():
        write(f'[{request["id"]}, "#"]')


@way
def deep() -> None:
    for _ in requests():
        write("[" * 60000)


@way
def digits() -> None:
    for _ in requests():
        write('{"id": ' + "9" * 60000 + "}")


@way
def blank() -> None:
    for request in requests():
        write("")
        answer(request)


@way
def crash_at_start() -> None:
    sys.exit("no such level: \u2603\nreally\n\n")


@way
def crash_in_game() -> None:
    for request in requests():
        if request["id"] == 3:
            os.kill(os.getpid(), signal.SIGSEGV)
        answer(request)


@way
def leave() -> None:
    for request in requests():
        answer(request)
        return


@way
def close_output() -> None:
    for _ in requests():
        os.close(1)
        time.sleep(60)


@way
def close_input() -> None:
    os.close(0)
    time.sleep(60)


@way
def huge() -> None:
    while True:
        os.write(1, b"x" * 65536)


@way
def flood() -> None:
    while True:
        os.write(1, b"x\n" * 30000)


@way
def ahead() -> None:
    """Answer what was not asked yet."""
    for request in requests():
        answer(request)
        answer(request, id=request["id"] + 1)


@way
def wrong_id() -> None:
    for request in requests():
        answer(request, id=request["id"] + 1)


@way
def odd_id() -> None:
    for request in requests():
        answer(request, id=request["id"] == 1)


@way
def no_id() -> None:
    for request in requests():
        write(json.dumps({"move": request["moves"][0]}))


@way
def not_offered() -> None:
    for request in requests():
        answer(request, move="~R7")


@way
def no_token() -> None:
    for request in requests():
        answer(request, move="\ud800\n" * 5000)


@way
def no_move() -> None:
    for request in requests():
        write(json.dumps({"id": request["id"], "moves": 7}))


@way
def complain() -> None:
    """Write to standard error for ever, and nothing else."""
    while True:
        os.write(2, b"complaint\n" * 5000)


@way
def chatter() -> None:
    """Write to standard error for ever, and answer."""
    threading.Thread(target=complain, daemon=True).start()
    answer_all()


@way
def record() -> None:
    """Answer, and keep every line that was read."""
    with open(sys.argv[2], "a", encoding="utf-8") as file:  # noqa: PTH123 - starts faster than with pathlib
        for line in sys.stdin:
            file.write(line)
            file.flush()
            if "id" in (message := json.loads(line)):
                answer(message)


@way
def immortal() -> None:
    """Answer, and do not end, nor let a child end, in spite of signals; both hold the named pipe ``FILE`` open."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    held = os.open(sys.argv[2], os.O_WRONLY)
    subprocess.Popen(["sleep", "60"], pass_fds=[held])  # noqa: S607 - any of that name will do
    answer_all()
    with suppress(OSError):
        write("and still here")
    time.sleep(60)


if __name__ == "__main__":
    WAYS[sys.argv[1]]()
