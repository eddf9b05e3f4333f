"""Proves that code in a document is quoted: every block tagged c, cpp or cmake has
to stand, as it is, in a file of the given folders.

quoted.py DOCUMENT FOLDER..."""

import pathlib
import re
import sys

BLOCK = re.compile(r"^```(c|cpp|cmake)\n((?:.*\n)*?)^```$", re.M)

document, *folders = map(pathlib.Path, sys.argv[1:])
texts = [
    path.read_text()
    for folder in folders
    for path in folder.rglob("*")
    if path.suffix in {".c", ".cpp", ".txt"}
]
blocks = [block for _, block in BLOCK.findall(document.read_text())]
strangers = [block for block in blocks if not any(block in text for text in texts)]
for block in strangers:
    print(f"not quoted from anywhere:\n{block}")
print(f"{len(blocks)} blocks, {len(strangers)} not quoted")
sys.exit(1 if strangers or not blocks else 0)
