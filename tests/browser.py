"""A headless Chromium for tests, driven by its own protocol through a pipe: no driver, no library, no port.

Messages are JSON, each ended by a zero byte: https://chromedevtools.github.io/devtools-protocol/. Debian's package is
``chromium``.
"""

import base64
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MISSING = "found no Chromium, expected one to look at pages with: apt-get install chromium"
KEYS = {"ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35, "PageUp": 33, "PageDown": 34}
SECONDS = 60
LAUNCH = """
import os, sys
ends = [os.dup(os.dup(os.dup(int(number)))) for number in sys.argv[1:3]]
for place, end in zip((3, 4), ends):
    os.dup2(end, place)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""The browser reads from 3 and writes to 4. The pipes are moved there, by way of numbers that are neither."""


def chromium() -> str:
    """Return the browser's program; skip the test where there is none, but fail in continuous integration."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(MISSING)
    return found


class Browser:
    """One page in a browser.

    Attributes:
        faults: What the page has written to the console, and errors that nobody caught.
    """

    def __init__(self) -> None:
        # What the browser had begun to write when it was killed may appear while its folder is being removed.
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, self._to = os.pipe()
        self._from, from_browser = os.pipe()
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"]
        options += ["--remote-debugging-pipe", "--no-first-run", f"--user-data-dir={self._profile.name}", "about:blank"]
        self._process = subprocess.Popen(
            [sys.executable, "-c", LAUNCH, str(to_browser), str(from_browser), chromium(), *options],
            pass_fds=(to_browser, from_browser),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(to_browser)
        os.close(from_browser)
        self._unread = b""
        self._number = 0
        self._session: str | None = None
        self._events: list[str] = []
        self.faults: list[str] = []
        target = next(found for found in self.call("Target.getTargets")["targetInfos"] if found["type"] == "page")
        attached = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(ProcessLookupError):  # it has ended by itself
            os.killpg(self._process.pid, signal.SIGKILL)  # with its helpers, which write to the profile
        self._process.wait()
        os.close(self._to)
        os.close(self._from)
        self._profile.cleanup()

    def call(self, method: str, **arguments: Any) -> dict[str, Any]:
        """Call a method of the protocol and return its answer."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": arguments}
        if self._session:
            message["sessionId"] = self._session
        left = json.dumps(message).encode() + b"\0"
        while left:
            left = left[os.write(self._to, left) :]
        while (answer := self._read()).get("id") != self._number:
            self._note(answer)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def open(self, page: Path, fragment: str = "") -> None:
        """Load a page from a file, anew, and wait until it is there."""
        self.call("Page.navigate", url="about:blank")
        self._events.clear()
        self.call("Page.navigate", url=f"{page.as_uri()}{fragment}")
        while self.run("location.protocol + document.readyState") != "file:complete":
            time.sleep(0.02)

    def run(self, code: str) -> Any:
        """Return what some JavaScript evaluates to."""
        found = self.call("Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            raise RuntimeError(found["exceptionDetails"])
        return found["result"].get("value")

    def press(self, key: str) -> None:
        """Press a key, as a person does."""
        code = KEYS.get(key) or ord(key.upper())
        text = {"text": key} if len(key) == 1 else {}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code, **text)

    def click(self, selector: str) -> None:
        """Click on the middle of an element, with the mouse."""
        self.run(f"document.querySelector({selector!r}).scrollIntoView({{block: 'nearest'}})")
        place = self.run(
            f"(() => {{const r = document.querySelector({selector!r}).getBoundingClientRect();"
            "return [r.x + r.width / 2, r.y + r.height / 2]})()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)

    def shape(self, width: int, height: int, *, dark: bool = False) -> None:
        """Set the size of the window, and whether the system is dark."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])

    def picture(self) -> bytes:
        """Return the whole page as PNG."""
        return base64.b64decode(self.call("Page.captureScreenshot", captureBeyondViewport=True)["data"])

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._unread:
            if not select.select([self._from], [], [], SECONDS)[0]:
                raise TimeoutError(f"found no answer of the browser in {SECONDS} s")
            part = os.read(self._from, 1 << 16)
            if not part:
                raise RuntimeError(f"found the browser gone, exit status {self._process.poll()}")
            self._unread += part
        message, _, self._unread = self._unread.partition(b"\0")
        return json.loads(message)

    def _note(self, event: dict[str, Any]) -> None:
        """Keep what a page may be blamed for: what it says on the console, its errors, and all that it loads."""
        method, about = event.get("method"), event.get("params", {})
        if method in {"Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"}:
            self.faults.append(json.dumps(about))
        url = about.get("request", {}).get("url", "")
        if method == "Network.requestWillBeSent" and not url.startswith(("file:", "about:", "data:")):
            self.faults.append(f"loads {url}")
