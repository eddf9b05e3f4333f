"""Writes the settings that a document gives for Neovim into a folder: settings-1.lua,
settings-2.lua, ... in their order.

editor-settings.py DOCUMENT FOLDER"""

import pathlib
import re
import sys

document, folder = map(pathlib.Path, sys.argv[1:])
blocks = re.findall(r"^```lua\n((?:.*\n)*?)^```$", document.read_text(), re.M)
if len(blocks) != 2:
    sys.exit(f"expected 2 blocks of Lua, but got {len(blocks)}")
for number, block in enumerate(blocks, 1):
    (folder / f"settings-{number}.lua").write_text(block)
