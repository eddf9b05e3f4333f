#!/usr/bin/env python3
# ===- every-atom.py - A kernel for every tcgen05.ld and tcgen05.st --------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Prints one gpu.module with a kernel for every shape, count and packing, loads
and stores, and what tmem-ptx-lint --summary has to say of each, for FileCheck.

The layouts come from the PTX ISA's description of where word r of lane l stands,
bit by bit, and not from the table that the compiler has."""

# (row, column) of word r in lane l at x<n>, the counts, the words at x1.
SHAPES = {
    "32x32b": (lambda l, r: (l, r), 128, 1),
    "16x64b": (lambda l, r: (l // 4 + 8 * (l % 2), l // 2 % 2 + 2 * r), 128, 1),
    "16x128b": (lambda l, r: (l // 4 + 8 * (r % 2), l % 4 + 4 * (r // 2)), 64, 2),
    "16x256b": (
        lambda l, r: (l // 4 + 8 * (r // 2 % 2), r % 2 + 2 * (l % 4) + 8 * (r // 4)),
        32,
        4,
    ),
    "16x32bx2": (lambda l, r: (l, r), 128, 1),
}


def powers(limit):
    n = 1
    while n <= limit:
        yield n
        n *= 2


def layout(strides):
    """A layout from pairs of an extent and a stride, the slowest first."""
    extents = ", ".join(str(extent) for extent, _ in strides)
    return f"#tmem.layout<({extents}) : ({', '.join(s for _, s in strides)})>"


def register_strides(place, rows, words, packed):
    """Each bit of the tile's index, the slowest first, on its register bit."""
    width = 2 if packed else 1  # Elements of a word.
    bits = {place(lane, 0): f"{lane}@lane" for lane in powers(16)}
    bits |= {place(0, word): f"{word * width}@reg" for word in powers(words // 2)}
    columns = 32 * words // rows
    places = [(row, 0) for row in powers(rows // 2)][::-1]
    places += [(0, column) for column in powers(columns // 2)][::-1]
    strides = [(4, "1@warp")] + [(2, bits[place]) for place in places]
    return strides + [(2, "1@reg")] * packed


def view(rows, columns, packed, half=0):
    """A tile whose warps own the first rows of their slabs, or the second."""
    # Of two 16-bit columns of a cell only the first is used.
    element, width, step = ("f16", 2 * columns, 2) if packed else ("f32", columns, 1)
    text = f"(4, {rows}, {width}) : (32@tlane, 1@tlane, {step}@tcol)"
    text += f" + ({16 * half}@tlane)" if half else ""
    return f"!tmem.view<{4 * rows}x{width}x{element}, #tmem.layout<{text}>>"


def transfer(shape, n, packed):
    """The views, their register layout and the thread's vector."""
    place, _, words = SHAPES[shape]
    words *= n
    rows = 32 if place(31, 0)[0] == 31 else 16
    strides = register_strides(place, rows, words, packed)
    vector = f"{2 * words}xf16" if packed else f"{words}xf32"
    columns = 32 * words // rows
    if shape != "16x32bx2":
        return [view(rows, columns, packed)], layout(strides), vector
    # Lane bit 4 selects the view, which leads.
    strides[:2] = [strides[1], strides[0]]
    views = [view(16, columns, packed, half) for half in (0, 1)]
    return views, layout(strides), vector


def kernel(shape, n, is_load, packed):
    views, registers, vector = transfer(shape, n, packed)
    memref, vector = f"memref<{vector}>", f"vector<{vector}>"
    op = "_split" if len(views) == 2 else ""
    operands = ", ".join(f"%m{i}" for i in range(len(views)))
    mode = "" if not packed else ", pack" if is_load else ", unpack"
    atom = f"registers({registers}) atom(<{shape}, x{n}{mode}>) scope(warpgroup)"
    name = f"{'ld' if is_load else 'st'}_{shape}_x{n}{'_packed' if packed else ''}"

    opcode = f"{name[:2]}.sync.aligned.{shape}.x{n}"
    opcode += "" if not packed else ".pack::16b" if is_load else ".unpack::16b"
    print(f"// CHECK: kernel '{name}'")
    print(f"// CHECK-NEXT: 1 tcgen05.{opcode}.b32{{{{$}}}}")
    print(f"// CHECK-NEXT: 1 tcgen05.wait::{name[:2]}.sync.aligned")
    print(f"gpu.func @{name}(%base: i32, %data: {memref}) kernel")
    print("    attributes {known_block_size = array<i32: 128, 1, 1>} {")
    print("  %c0 = arith.constant 0 : index")
    for i, type in enumerate(views):
        print(f"  %m{i} = tmem.view %base : {type}")
    types = ", ".join(views)
    if is_load:
        print(f"  %p = tmem.load{op} {operands} {atom}")
        print(f"      : {types} -> !tmem.pending<{vector}>")
        print(f"  %v = tmem.wait_load %p : !tmem.pending<{vector}>")
        print(f"  vector.store %v, %data[%c0] {{alignment = 32}} : {memref}, {vector}")
    else:
        print(f"  %v = vector.load %data[%c0] {{alignment = 32}} : {memref}, {vector}")
        print(f"  %t = tmem.store{op} %v, {operands} {atom}")
        print(f"      : {vector}, {types}")
        print("  tmem.wait_store %t")
    print("  gpu.return\n}")


def main():
    print("gpu.module @every_atom {")
    for shape, (_, limit, _) in SHAPES.items():
        for n in powers(limit):
            for packed in (False, True):
                for is_load in (True, False):
                    kernel(shape, n, is_load, packed)
    print("}\n// CHECK-NOT: kernel")


if __name__ == "__main__":
    main()
