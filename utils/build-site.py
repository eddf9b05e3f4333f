#!/usr/bin/env python3
# ===- build-site.py - The documents as a site -----------------------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Builds the site of the documents with MkDocs, which has to be installed
(`utils/bootstrap.sh site` does so). Fails on a link that leads nowhere, on a
missing anchor and on a page that the navigation of docs/mkdocs.yml leaves out.

Pages stand in the site as in the repository, so that their links hold in both:
what a page links to, such as an example, is copied as it is."""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = ["README.md", "CONTRIBUTING.md", "benchmarks/README.md"]
LINK = re.compile(r"\]\(([^)\s#]+)(?:#[^)\s]*)?\)")
# MkDocs wants one word after the backquotes; check-docs.py reads the others.
FENCE = re.compile(r"^(```\w+) .*$", re.M)


def find_pages():
    pages = [ROOT / page for page in PAGES]
    return pages + sorted((ROOT / "docs").rglob("*.md"))


def find_linked_files(page):
    """The files of the repository, other than pages, that a page links to."""
    for target in LINK.findall(page.read_text()):
        path = (page.parent / target).resolve()
        if "://" not in target and path.is_file() and path.suffix != ".md":
            yield path


def stage(source):
    """Puts the pages and what they link to into the folder `source`."""
    shutil.rmtree(source, ignore_errors=True)
    for page in find_pages():
        staged = source / page.relative_to(ROOT)
        staged.parent.mkdir(parents=True, exist_ok=True)
        staged.write_text(FENCE.sub(r"\1", page.read_text()))
        for path in find_linked_files(page):
            copy = source / path.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
    shutil.copyfile(ROOT / "docs/site.css", source / "docs/site.css")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("output", type=pathlib.Path, help="the folder for the site")
    output = parser.parse_args().output.resolve()
    work = output.with_name(output.name + "-source")
    stage(work / "pages")
    config = work / "mkdocs.yml"
    text = (ROOT / "docs/mkdocs.yml").read_text()
    config.write_text(f"{text}docs_dir: pages\nsite_dir: {output}\n")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict"]
    status = subprocess.run([*command, "--config-file", config], check=False)
    if status.returncode == 0:
        print(f"{output}/index.html: {len(find_pages())} pages")
    return status.returncode


if __name__ == "__main__":
    sys.exit(main())
