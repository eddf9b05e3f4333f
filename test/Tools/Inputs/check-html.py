# ===- check-html.py - Prove that pages work in a browser ------------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Opens the page of each case of picture_cases.py in a headless browser: the
tables of its script are what the case says, pointing at squares shows their
counterparts, steps show what the issue moves, everything is within reach of the
keyboard, and the console stays empty. Prints how long drawing took."""

import argparse
import pathlib
import random
import subprocess

from picture_cases import CASES
from webdriver import Browser

SIDES = ("memory", "registers")
# Of a square: the middle of its box in the window.
MIDDLE = """
const [x, y, w, h] = tmemPicture.boxOf(arguments[0], arguments[1]);
const svg = document.getElementById("picture");
svg.scrollIntoView({block: "center"});
const point = new DOMPoint(x + w / 2, y + h / 2).matrixTransform(svg.getScreenCTM());
return [point.x, point.y];
"""
# The rings that are shown: side and middle in the picture.
RINGS = """
return [...document.querySelectorAll("#pointer .pointed")].map((ring) => {
  const box = ring.getBBox();
  return [ring.dataset.side, box.x + box.width / 2, box.y + box.height / 2];
});
"""
# Is the middle of a square in the path of a class?
IN_PATH = """
const [kind, side, index] = arguments;
const [x, y, w, h] = tmemPicture.boxOf(side, index);
const point = document.getElementById("picture").createSVGPoint();
[point.x, point.y] = [x + w / 2, y + h / 2];
return [...document.querySelectorAll("#veils ." + kind)].some((path) => path.isPointInFill(point));
"""


class Checker:
    def __init__(self, browser, name, case, size):
        self.browser = browser
        self.name = name
        self.case = case
        self.size = size
        self.parts = 32 // min(case.bits, 32)
        self.pitch = browser.run("return tmemPicture.pitch")
        self.held = [{}, {}]
        for index in case.elements():
            memory = case.memory and self.memory_index(case.memory(*index))
            registers = case.registers and self.register_index(case.registers(*index))
            issue = case.issue(*index) if case.issue else -1
            places = (memory, registers)
            for side in (0, 1):
                if places[side] is not None:
                    other = places[1 - side]
                    self.held[side][places[side]] = (
                        index,
                        -1 if other is None else other,
                        issue,
                    )

    def memory_index(self, place):
        lane, column, bit = place
        return lane * self.pitch[0] + column * self.parts + bit * self.parts // 32

    def register_index(self, place):
        warp, lane, word, bit = place
        line = 32 * (warp - self.case.warps[0]) + lane
        return line * self.pitch[1] + word * self.parts + bit * self.parts // 32

    def check_tables(self):
        for side in (0, 1):
            tables = self.browser.run(
                "const {units, links, issueOf} = tmemPicture;"
                "return [units, links, issueOf].map((t) => [...t[arguments[0]]])",
                side,
            )
            for index, (unit, link, issue) in enumerate(zip(*tables)):
                expected = self.held[side].get(index)
                if expected is None:
                    assert (unit, link, issue) == (-1, -1, -1), (side, index)
                else:
                    element = self.case.number(expected[0])
                    assert (unit, link, issue) == (element, *expected[1:]), (side, index)

    def box_middle(self, side, index):
        return self.browser.run(
            "const [x, y, w, h] = tmemPicture.boxOf(...arguments); return [x + w / 2, y + h / 2]",
            side,
            index,
        )

    def name_place(self, side, index):
        line, at = divmod(index, self.pitch[side])
        word, part = divmod(at, self.parts)
        bits = 32 // self.parts
        suffix = "" if self.parts == 1 else f", bits {part * bits}–{part * bits + bits - 1}"
        if side == 0:
            return f"TMEM lane {line}, column {word}{suffix}"
        warp = self.case.warps[0] + line // 32
        return f"warp {warp}, lane {line % 32}, register {word}{suffix}"

    def check_shown(self, side, index):
        """What is shown of a square, wherever that was pointed at."""
        held, other, issue = self.held[side][index]
        shown = {(side, index)} | ({(1 - side, other)} if other >= 0 else set())
        rings = [ring for ring in self.browser.run(RINGS) if ring[0] != "tile"]
        assert len(rings) == len(shown), rings
        for s, i in shown:
            x, y = self.box_middle(s, i)
            assert any(
                ring[0] == SIDES[s] and abs(ring[1] - x) < 0.1 and abs(ring[2] - y) < 0.1
                for ring in rings
            ), (s, i, rings)
        details = self.browser.run("return document.getElementById('details').textContent")
        name = ", ".join(map(str, held))
        assert f"element ({name})\n" in details, details
        for s, i in shown:
            assert self.name_place(s, i) in details.split("\n"), details
        if issue >= 0:
            assert f"issue {issue}: {self.case.instructions[issue]}" in details, details
            row = self.browser.run("return document.querySelector('tr.pointed').id")
            assert row == f"issue-{issue}", row

    def check_pointing(self):
        """Some squares of each side, the corners among them."""
        choose = random.Random(self.name)
        for side in (0, 1):
            indices = sorted(self.held[side])
            for index in [*indices[:1], *indices[-1:], *choose.sample(indices, min(6, len(indices)))]:
                self.browser.point(*self.browser.run(MIDDLE, side, index))
                # A large tile's squares are smaller than the pixels of the mouse.
                pointed = self.browser.run("return tmemPicture.pointed")
                if self.name == "large":
                    assert pointed["side"] == side and pointed["index"] in self.held[side]
                    self.check_shown(side, pointed["index"])
                    continue
                assert pointed == {"side": side, "index": index}, (pointed, side, index)
                self.check_shown(side, index)

    def check_steps(self):
        count = len(self.case.instructions)
        if not count:
            assert not self.browser.run("return document.getElementById('step')")
            return
        choose = random.Random(self.name)
        squares = [
            (side, *item)
            for side in (0, 1)
            for item in choose.sample(sorted(self.held[side].items()), 20)
        ]
        for step in range(count):
            self.browser.run("document.getElementById('next').click()")
            state = self.browser.run(
                "return [document.getElementById('step').value,"
                " document.getElementById('step-text').textContent,"
                " document.querySelector('[aria-current=step]').id]"
            )
            name = f"issue {step}: {self.case.instructions[step]}"
            assert state == [str(step), name, f"issue-{step}"], state
            for side, index, (_, _, issue) in squares:
                assert self.browser.run(IN_PATH, "veil", side, index) == (issue > step)
                assert self.browser.run(IN_PATH, "past", side, index) == (issue < step)
        for step in reversed(range(count)):
            self.browser.run("document.getElementById('previous').click()")
        assert self.browser.run("return document.querySelectorAll('#veils *').length") == 0

    def check_keyboard(self):
        """To the picture by Tab, then from square to square and across."""
        run, press = self.browser.run, self.browser.press
        run("document.body.focus(); tmemPicture.show(null)")
        for _ in range(10):
            press("Tab")
            if run("return document.activeElement.id") == "picture":
                break
        else:
            raise AssertionError("no way to the picture")
        press("Home")
        first = run("return tmemPicture.pointed")
        press("ArrowRight", "ArrowDown", "ArrowDown", "ArrowUp")
        moved = run("return tmemPicture.pointed")
        side = first["side"]
        assert moved["side"] == side
        assert moved["index"] - first["index"] == self.pitch[side] + 1, (first, moved)
        press("Home", "PageDown")
        here = run("return tmemPicture.pointed")
        if here["index"] in self.held[side]:
            self.check_shown(side, here["index"])
            press("Enter")
            link = self.held[side][here["index"]][1]
            there = run("return tmemPicture.pointed")
            if link >= 0:
                assert there == {"side": 1 - side, "index": link}, there
                self.check_shown(1 - side, link)
        if self.case.instructions:
            press("n")
            assert run("return tmemPicture.step") == 0
            press("p")
            assert run("return tmemPicture.step") == -1
        press("Escape")
        assert run("return tmemPicture.pointed") is None
        assert not run(RINGS)

    def check_colors(self):
        colors = self.browser.run(
            "return [...document.querySelectorAll('input[name=color]')].map((i) => i.value)"
        )
        expected = ["element"]
        expected += ["warp", "lane", "register"] if self.case.registers else []
        expected += ["issue"] if self.case.issue else []
        assert colors == expected, colors
        for color in [*colors, "element"]:
            shown = self.browser.run(
                "document.querySelector(`input[value=${arguments[0]}]`).click();"
                "return [...document.querySelectorAll('.layer')].filter((layer) =>"
                " getComputedStyle(layer).display !== 'none').map((layer) => layer.dataset.color)",
                color,
            )
            assert shown == [color], shown

    def check_reasons(self):
        """Each reason that names places shows them, one at a time."""
        shown = "return [...document.querySelectorAll('.misfit')].filter((group) => getComputedStyle(group).display !== 'none').map((group) => group.dataset.reason)"
        marks = self.browser.run(
            "return [...document.querySelectorAll('[data-mark]')].map((b) => b.dataset.mark)"
        )
        assert len(self.browser.run(shown)) == (1 if self.name == "refused" else 0)
        for mark in marks:
            click = f"document.querySelector('[data-mark=\"{mark}\"]').click();"
            if self.browser.run(shown) == [mark]:
                self.browser.run(click)
            assert self.browser.run(shown) != [mark]
            self.browser.run(click)
            assert self.browser.run(shown) == [mark]
            pressed = self.browser.run(
                "return document.querySelector('[aria-pressed=true]').dataset.mark"
            )
            assert pressed == mark
            self.browser.run(click)
            assert not self.browser.run(shown)

    def check(self):
        self.check_tables()
        self.check_colors()
        self.check_reasons()
        self.check_pointing()
        self.check_steps()
        self.check_keyboard()


def open_page(browser, name, case, folder):
    options = ["--format=html", *case.options]
    result = subprocess.run(["tmem-explain", *options], capture_output=True, check=False)
    assert result.returncode == (1 if name == "refused" else 0), result.stderr
    page = folder / f"{name}.html"
    page.write_bytes(result.stdout)
    assert b"http:" not in result.stdout.replace(b"http://www.w3.org/2000/svg", b"")
    assert b"https:" not in result.stdout
    assert len(result.stdout) < 2_000_000
    return len(result.stdout), browser.open_drawn(page, seconds=5)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--driver", required=True)
    parser.add_argument("--browser", required=True)
    parser.add_argument("--folder", required=True, type=pathlib.Path)
    parser.add_argument("cases", nargs="*")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    with Browser(args.driver, args.browser) as browser:
        for name in args.cases or CASES:
            size, drawn = open_page(browser, name, CASES[name], args.folder)
            loaded = browser.run(
                "const [t] = performance.getEntriesByType('navigation');"
                "return [t.domComplete, performance.getEntriesByName('first-contentful-paint')[0]?.startTime]"
            )
            Checker(browser, name, CASES[name], size).check()
            messages = browser.take_messages()
            assert not messages, messages
            print(f"{name}: {size} bytes, script and first frame {drawn:.0f} ms, "
                  f"loaded in {loaded[0]:.0f} ms, first paint {loaded[1] or 0:.0f} ms")


main()
