#!/usr/bin/env python3
# ===- check-rules.py - Prove that no verification rule is forgotten -------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Checks that every rule of Rules.def

  - stands in docs/Rules.md with the same text and its source,
  - is enforced, as Rule::ID, by code under include/ or lib/,
  - is broken by a test under test/ that is named after it: in MLIR and PTX a
    section with a symbol, alias or file ID_... that expects a diagnostic, in
    C++ a TEST(..., ID_...);

and that docs and tests name no rule that does not exist. Prints one line per
fault. With --fix-docs writes the table in docs/Rules.md first."""

import argparse
import pathlib
import re
import sys

RULES = pathlib.Path("include/tmem/Layout/Rules.def")
DOCS = pathlib.Path("docs/Rules.md")
BEGIN, END = "<!-- rules: begin -->", "<!-- rules: end -->"
ID = r"[A-Z]{1,2}\d{1,2}"

DEFINITION = re.compile(
    rf'^TMEM_RULE\(\s*({ID})\s*,\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\)', re.M
)
DOCS_ENTRY = re.compile(rf"^\|\s*({ID})\s*\|(.*)\|$", re.M)
MENTION = re.compile(rf"\brule ({ID})\b")
COMMENT = re.compile(r"//.*")
USE = re.compile(rf"\bRule::({ID})\b")

# A test is named after the rules that it breaks: @L1_zero_extent, #V4_V5_far.
SECTION = re.compile(r"^// ?-----.*\n|^(?=(?://|#|;)--- )", re.M)
NAME = re.compile(rf"(?:[@#!]|^(?://|#|;)--- )((?:{ID}_)+)\w", re.M)
GTEST = re.compile(rf"\bTEST(?:_F|_P)?\(\s*\w+\s*,\s*((?:{ID}_)+)\w")
DIAGNOSTIC = re.compile(rf"expected-error|\brule {ID}\b")
SECTION_SUFFIXES = {".mlir", ".ptx", ".test"}


def read(path):
    return path.read_text(encoding="utf-8")


def read_rules(root):
    """The rules in order, {id: text}."""
    rules = {}
    for rule, literals in DEFINITION.findall(read(root / RULES)):
        text = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literals))
        rules[rule] = re.sub(r"\\(.)", r"\1", text)
    return rules


def files(root, folder, suffixes):
    """The files under a folder, but for tests of this script and their inputs."""
    for path in sorted((root / folder).rglob("*")):
        parts = path.relative_to(root).parts
        if parts[:2] == ("test", "Utils") or "Inputs" in parts:
            continue
        if path.suffix in suffixes and path.is_file():
            yield path


def escape(text):
    return text.replace("|", r"\|")


def read_docs(root):
    """{id: (text, source)} of docs/Rules.md."""
    path = root / DOCS
    entries = {}
    for row, cells in DOCS_ENTRY.findall(read(path) if path.exists() else ""):
        text, source, *_ = [*re.split(r"(?<!\\)\|", cells), ""]
        entries[row] = (text.strip(), source.strip())
    return entries


def check_docs(root, rules):
    entries = read_docs(root)
    for rule, text in rules.items():
        if rule not in entries:
            yield f"{DOCS}: rule {rule} is missing"
        elif entries[rule][0] not in (text, escape(text)):
            yield f"{DOCS}: rule {rule} has another text than in {RULES}"
        elif not entries[rule][1]:
            yield f"{DOCS}: rule {rule} has no source"
    for rule in sorted(entries.keys() - rules.keys()):
        yield f"{DOCS}: unknown rule {rule}"


def check_uses(root, rules):
    used = set()
    for folder in ("include", "lib"):
        for path in files(root, folder, {".cpp", ".h", ".td"}):
            if path.stem != "Rules":
                used |= set(USE.findall(COMMENT.sub("", read(path))))
    for rule in rules:
        if rule not in used:
            yield f"{RULES}: nothing enforces rule {rule}: no Rule::{rule}"


def read_ids(names):
    return {rule for name in names for rule in name.rstrip("_").split("_")}


def read_test_names(root):
    """Yields (path, ids in names of tests, whether a diagnostic is expected)."""
    for path in files(root, "test", SECTION_SUFFIXES):
        for section in SECTION.split(read(path)):
            ids = read_ids(NAME.findall(section))
            yield path, ids, bool(DIAGNOSTIC.search(section))
    for path in files(root, "test", {".cpp"}):
        yield path, read_ids(GTEST.findall(read(path))), True


def check_tests(root, rules):
    tested = set()
    topics = {rule.rstrip("0123456789") for rule in rules}
    for path, ids, has_diagnostic in read_test_names(root):
        if has_diagnostic:
            tested |= ids
        # Other topics are no rules: @K1_copy is a kernel.
        for rule in sorted(ids - rules.keys()):
            if rule.rstrip("0123456789") in topics:
                yield f"{path.relative_to(root)}: test of the unknown rule {rule}"
    for rule in rules:
        if rule not in tested:
            yield f"{RULES}: no failing test is named after rule {rule}"


def check_mentions(root, rules):
    tests = files(root, "test", SECTION_SUFFIXES | {".cpp", ".py"})
    for path in [*files(root, "docs", {".md"}), *root.glob("*.md"), *tests]:
        for rule in sorted(set(MENTION.findall(read(path))) - rules.keys()):
            yield f"{path.relative_to(root)}: unknown rule {rule}"


def fix_docs(root, rules):
    path = root / DOCS
    text = read(path) if path.exists() else f"# Rules\n\n{BEGIN}\n{END}\n"
    if BEGIN not in text or END not in text:
        sys.exit(f"{DOCS}: expected the markers {BEGIN} and {END}")
    sources = {rule: source for rule, (_, source) in read_docs(root).items()}
    rows = [
        f"| {rule} | {escape(text)} | {sources.get(rule, '')} |"
        for rule, text in rules.items()
    ]
    table = "\n".join(["| rule | text | source |", "| --- | --- | --- |", *rows])
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    path.parent.mkdir(exist_ok=True)
    text = f"{before}{BEGIN}\n{table}\n{END}{after}"
    path.write_text(text, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    here = pathlib.Path(__file__).resolve().parent.parent
    parser.add_argument("--root", type=pathlib.Path, default=here)
    parser.add_argument("--fix-docs", action="store_true")
    options = parser.parse_args()
    rules = read_rules(options.root)
    if not rules:
        sys.exit(f"{RULES}: no rules found")
    if options.fix_docs:
        fix_docs(options.root, rules)
    faults = [
        fault
        for check in (check_docs, check_uses, check_tests, check_mentions)
        for fault in check(options.root, rules)
    ]
    print("\n".join(faults) or f"{len(rules)} rules: documented, enforced, tested")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
