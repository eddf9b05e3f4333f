# ===- webdriver.py - A headless browser through WebDriver -----------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Drives Chromium over the W3C WebDriver protocol, with Python's library alone."""

import base64
import json
import re
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

KEYS = {
    "Tab": "\ue004", "Enter": "\ue007", "Escape": "\ue00c", "ArrowLeft": "\ue012",
    "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015",
    "PageUp": "\ue00e", "PageDown": "\ue00f", "End": "\ue010", "Home": "\ue011",
}


class Browser:
    """One browser window; use it in a `with` statement."""

    def __init__(self, driver, browser):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.process = subprocess.Popen(
            [driver, "--port=0"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        port = None
        for line in self.process.stdout:
            if found := re.search(r"started successfully on port (\d+)", line):
                port = found[1]
                break
        self.base = f"http://127.0.0.1:{port}"
        arguments = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        arguments += ["--disable-dev-shm-usage", "--window-size=1320,1300"]
        arguments += [f"--user-data-dir={self.profile.name}"]
        capabilities = {
            "goog:chromeOptions": {"args": arguments, "binary": browser},
            "goog:loggingPrefs": {"browser": "ALL"},
        }
        self.session = ""
        answer = self.call("POST", "", {"capabilities": {"alwaysMatch": capabilities}})
        self.session = f"/{answer['sessionId']}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("DELETE", "")
        finally:
            self.process.terminate()
            self.process.wait()
            self.profile.cleanup()

    def call(self, method, path, body=None):
        request = urllib.request.Request(
            f"{self.base}/session{self.session}{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=120) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read().decode()) from None

    def open(self, path):
        self.call("POST", "/url", {"url": path.absolute().as_uri()})

    def open_drawn(self, path, seconds):
        """Opens a page and waits until it is drawn: after how many milliseconds it was."""
        self.open(path)
        for _ in range(20 * seconds):
            drawn = self.run("return document.documentElement.dataset.drawnMs")
            if drawn:
                return float(drawn)
            time.sleep(0.05)
        raise AssertionError(f"nothing drawn: {self.take_messages()}")

    def run(self, script, *arguments):
        """What a function body returns."""
        return self.call("POST", "/execute/sync", {"script": script, "args": arguments})

    def point(self, x, y):
        """Moves the mouse to a place of the window."""
        move = {"type": "pointerMove", "duration": 0, "x": x, "y": y}
        mouse = {"type": "pointer", "id": "mouse", "actions": [move]}
        self.call("POST", "/actions", {"actions": [mouse]})

    def click(self):
        press = [{"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp")]
        mouse = {"type": "pointer", "id": "mouse", "actions": press}
        self.call("POST", "/actions", {"actions": [mouse]})

    def press(self, *keys):
        actions = []
        for key in keys:
            value = KEYS.get(key, key)
            actions += [{"type": kind, "value": value} for kind in ("keyDown", "keyUp")]
        keyboard = {"type": "key", "id": "keyboard", "actions": actions}
        self.call("POST", "/actions", {"actions": [keyboard]})

    def take_messages(self):
        """What the page wrote to its console, errors too, since the last call."""
        return self.call("POST", "/se/log", {"type": "browser"})

    def take_screenshot(self):
        return base64.b64decode(self.call("GET", "/screenshot"))
