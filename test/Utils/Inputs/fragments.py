# ===- fragments.py - Make whole files of the reference's examples ---------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""The reference shows operations out of any function, and attributes alone. What is
around them is added here: aliases from the table below, and an argument for each
value that comes from elsewhere, of the type that its use asks for."""

import re

VIEW = "!tmem.view<{}, #tmem.layout<{}>>"
ALIASES = {
    "!acc": "!tmem.view<64x128xf32, #tmem.datapath<B>>",
    "!tile": "!tmem.view<128x64xf32, #tmem.datapath<D>>",
    "!scales": VIEW.format("32x4xf32", "(32, 4) : (1@tlane, 1@tcol) * (4 : 32@tlane)"),
    "!vec": "vector<64xf32>",
    "!pending": "!tmem.pending<vector<64xf32>>",
    "#regs": "#tmem.layout<(64, 2, 64) : (1@tid, 64@tid, 1@reg)>",
    "#row": "#tmem.layout<(128, 64) : (1@tid, 1@reg)>",
}
# Where a fragment has the first, names mean this instead.
OTHER_ALIASES = {
    "_split": {
        "!low": VIEW.format("64x4xf32", "(4, 16, 4) : (32@tlane, 1@tlane, 1@tcol)"),
        "!high": VIEW.format(
            "64x4xf32", "(4, 16, 4) : (32@tlane, 1@tlane, 1@tcol) + (16@tlane, 8@tcol)"
        ),
        "#regs": "#tmem.layout<(2, 4, 16, 4) : (16@lane, 1@warp, 1@lane, 1@reg)>",
    },
    "!ring": {
        "!acc": "!tmem.view<128x96xf32, #tmem.datapath<D>>",
        "!window": VIEW.format("1x128x96xf32", "(128, 96) : (1@tlane, 1@tcol)"),
    },
    "[128, 32]": {
        "!acc": "!tmem.view<128x128xf32, #tmem.datapath<D>>",
        "!part": "!tmem.view<128x32xf32, #tmem.datapath<D>>",
        "!right": VIEW.format("128x32xf32", "(128, 32) : (1@tlane, 1@tcol) + (64@tcol)"),
    },
    "wl = 2": {
        "!acc": "!tmem.view<128x128xf32, #tmem.datapath<D>>",
        "!warps": VIEW.format(
            "8x32x64xf32", "(2, 4, 32, 64) : (64@tcol, 32@tlane, 1@tlane, 1@tcol)"
        ),
    },
    "scf.yield %next": {"!part": "!tmem.view<128x64xf32, #tmem.datapath<D>>"},
    "atom(<32x32b, x32>)": {
        "!acc": "!tmem.view<128x32xf32, #tmem.datapath<D>>",
        "#regs": "#tmem.layout<(128, 32) : (1@tid, 1@reg)>",
    },
    "vector<256xf32>": {
        "!tile": "!tmem.view<128x256xf32, #tmem.datapath<D>>",
        "#row": "#tmem.layout<(128, 256) : (1@tid, 1@reg)>",
    },
    "!tile0": {
        "!tile": "!tmem.view<128x256xf32, #tmem.datapath<D>>",
        "!tile0": "!tmem.view<128x64xf32, #tmem.datapath<D>>",
        "!tile1": VIEW.format("128x64xf32", "(128, 64) : (1@tlane, 1@tcol) + (64@tcol)"),
        "#row64": "#tmem.layout<(128, 64) : (1@tid, 1@reg)>",
    },
}
PRELUDES = {
    "_split": ["%low = tmem.view %base : !low", "%high = tmem.view %base : !high"],
    "tmem.buffer": ['"in a kernel"() : () -> ()'],
}
STATEMENT = re.compile(r"^(?:[^\s}].*)(?:\n(?:[ \t}].*|$))*", re.M)
ALIAS = re.compile(r"[#!]\w+ =")
NAME = re.compile(r"[#!][a-z]\w*\b(?!\.)")
UNDECLARED = re.compile(r"^(\S+):(\d+):(\d+): error: use of undeclared SSA value", re.M)
OTHER_TYPE = re.compile(
    r"error: use of value '(%\w+)' expects different type than prior uses: '(.*)' vs "
)


def split(text):
    """The fragments of a block: what is before a pass, and what is after it."""
    parts = re.split(r"^// (?:Before|After).*\n(?://.*\n)*", text, flags=re.M)
    return [part for part in parts if part.strip()]


def declare(arguments):
    """Arguments of a function, and what stands in it for values in flight, which have
    to come from a transfer."""
    values, transfers = [], []
    for name, kind in arguments.items():
        pending = re.match(r"!tmem.pending<vector<(\d+)xf32>>", kind)
        if not pending and kind != "!tmem.token":
            values.append(f"{name}: {kind}")
            continue
        columns = pending[1] if pending else 64
        view = f"!tmem.view<128x{columns}xf32, #tmem.datapath<D>>"
        values.append(f"{name}_tile: {view}")
        if pending:
            transfers.append(f"{name} = tmem.load {name}_tile scope(warpgroup) : {view} -> {kind}")
        else:
            vector = f"vector<{columns}xf32>"
            values.append(f"{name}_vector: {vector}")
            transfers.append(
                f"{name} = tmem.store {name}_vector, {name}_tile scope(warpgroup) "
                f": {vector}, {view}"
            )
    return ", ".join(values), transfers


def find_aliases(text):
    aliases = dict(ALIASES)
    for mark, others in OTHER_ALIASES.items():
        if mark in text:
            aliases.update(others)
    return aliases


def wrap(text, arguments):
    """A file with the fragment in a function of these arguments."""
    prelude = [s for mark, lines in PRELUDES.items() if mark in text for s in lines]
    statements = [s for s in STATEMENT.findall(text) if s != "..."]
    heads = [s for s in statements if ALIAS.match(s)]
    body = [s for s in statements if not ALIAS.match(s)]
    body = [f'"use"() {{a = {s}}} : () -> ()' if s[0] in "#!" else s for s in body]
    given = {head.split(" ", 1)[0] for head in heads}
    used = set(NAME.findall("\n".join(prelude + statements))) - given
    aliases = find_aliases(text)
    heads = [f"{name} = {aliases[name]}" for name in sorted(used & set(aliases))] + heads
    values, transfers = declare(arguments)
    kernel = "gpu.module @m {", f"gpu.func @f({values}) kernel {{", "gpu.return", "}}"
    function = "", f"func.func @f({values}) {{", "return", "}"
    before, start, end, after = kernel if "tmem.buffer" in text else function
    lines = [*heads, before, start, *prelude, *transfers, *body, end, after]
    return "\n".join(lines).rstrip() + "\n"


def check_fragment(text, run, folder):
    """What tmem-opt has against a fragment; an empty text if nothing."""
    arguments = {}
    for _ in range(30):
        source = wrap(text, arguments)
        (folder / "fragment.mlir").write_text(source)
        status, output = run(
            "tmem-opt --allow-unregistered-dialect fragment.mlir -o /dev/null", folder
        )
        if status == 0:
            return ""
        missing, other = UNDECLARED.search(output), OTHER_TYPE.search(output)
        if missing:
            line = source.splitlines()[int(missing[2]) - 1]
            name = re.match(r"%\w+", line[int(missing[3]) - 1 :])[0]
            arguments[name] = "none"
        elif other and arguments.get(other[1]) == "none":
            arguments[other[1]] = other[2]
        else:
            return source + output
    return source + output
