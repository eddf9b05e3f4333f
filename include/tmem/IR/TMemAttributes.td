//===- TMemAttributes.td - Attributes of the tmem dialect --*- tablegen -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_IR_TMEMATTRIBUTES_TD
#define TMEM_IR_TMEMATTRIBUTES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "tmem/IR/TMemDialect.td"
include "tmem/IR/TMemInterfaces.td"

class TMem_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<TMem_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

def TMem_LayoutAttr : TMem_Attr<"Layout", "layout",
    [DeclareAttrInterfaceMethods<TMem_LayoutAttrInterface>]> {
  let summary = "where the elements of a tile stand";
  let description = [{
    The row-major number of an element is split into digits over the extents,
    the last one fastest. Each digit times its stride is added on the stride's
    axis. So in the first layout below element (i, j) of a 64x128 tile, which has
    the number 128 i + j, is in lane i + 64 (j / 64) and column j mod 64.

    ```mlir
    #tmem.layout<(64, 2, 64) : (1@tlane, 64@tlane, 1@tcol)>
    #tmem.layout<(32, 4) : (1@tlane, 1@tcol) + (8@tcol) * (4 : 32@tlane)>
    ```

    | axis | meaning |
    | --- | --- |
    | `tlane` | TMEM lane, 0 to 127 |
    | `tcol` | TMEM column, counted in elements: the cell is tcol * bits / 32 |
    | `warp`, `lane` | warp of the scope, and lane 0 to 31 of the warp |
    | `tid` | thread of the scope, 32 * warp + lane |
    | `reg` | element slot of the thread's vector |

    The first two are the axes of TMEM, the others those of registers; a layout
    uses one kind. Offsets, `+ (8@tcol)`, shift the layout. Replicas,
    `* (4 : 32@tlane)`, say that every element stands in 4 places, 32 lanes apart.
    Either may come first.

    Rules L1 to L6.
  }];
  let parameters = (ins
    ArrayRefParameter<"::mlir::tmem::Mode">:$modes,
    OptionalArrayRefParameter<"::mlir::tmem::Mode">:$replicas,
    OptionalArrayRefParameter<"::mlir::tmem::AxisOffset">:$offsets);
  let builders = [
    AttrBuilder<(ins "const ::mlir::tmem::Layout &":$layout)>
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    ::mlir::tmem::Layout getLayout() const;
  }];
}

def TMem_Datapath : I32EnumAttr<"Datapath", "data path of an accumulator", [
    I32EnumAttrCase<"A", 0>, I32EnumAttrCase<"B", 1>, I32EnumAttrCase<"C", 2>,
    I32EnumAttrCase<"D", 3>, I32EnumAttrCase<"E", 4>, I32EnumAttrCase<"F", 5>,
    I32EnumAttrCase<"G", 6>]> {
  let cppNamespace = "::mlir::tmem";
  let genSpecializedAttr = 0;
}

def TMem_DatapathAttr : TMem_Attr<"Datapath", "datapath",
    [DeclareAttrInterfaceMethods<TMem_LayoutAttrInterface>]> {
  let summary = "where tcgen05.mma leaves an accumulator";
  let description = [{
    The layout of an accumulator by the letter of its data path (PTX ISA,
    "Data Path Layout Organization"), for the (rows, N) tile of one CTA. Element
    (i, j) is at:

    | path | producer | rows | lane, column |
    | --- | --- | --- | --- |
    | A | M = 256, `cta_group::2` | 128 | i, j |
    | B | M = 128, `cta_group::2`, dense | 64 | i + 64 (j / (N/2)), j mod N/2 |
    | C | M = 128, `cta_group::2`, sparse | 64 | as F |
    | D | M = 128, `cta_group::1` | 128 | i, j |
    | E | M = 64, `.ws` | 64 | as B |
    | F | M = 64, `cta_group::1`, not `.ws` | 64 | 32 (i / 16) + 16 half + i mod 16, j |
    | G | M = 32, `.ws` | 32 | i + 32 (j / (N/4)), j mod N/4 |

    `half` selects the half of each warp's slab in C and F. Elements of 16 and 32
    bits take one cell each, in its low bits.

    ```mlir
    !tmem.view<64x128xf32, #tmem.datapath<B>>
    !tmem.view<64x32xf16, #tmem.datapath<F, half = 1>>
    ```

    Rules D1 to D4.
  }];
  let parameters = (ins
    EnumParameter<TMem_Datapath>:$letter,
    DefaultValuedParameter<"int64_t", "0">:$half);
  let assemblyFormat = "`<` custom<DatapathLetter>($letter) (`,` `half` `=` $half^)? `>`";
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

def TMem_AtomAttr : TMem_Attr<"Atom", "atom"> {
  let summary = "a tcgen05.ld or tcgen05.st instruction";
  let description = [{
    The shape of the instruction and its repetition count, with `pack` for
    `.pack::16b` on loads and `unpack` for `.unpack::16b` on stores.

    | shape | lanes, columns at xN | registers | N |
    | --- | --- | --- | --- |
    | `32x32b` | 32, N | N | 1 to 128 |
    | `16x64b` | 16, 2N | N | 1 to 128 |
    | `16x128b` | 16, 4N | 2N | 1 to 64 |
    | `16x256b` | 16, 8N | 4N | 1 to 32 |
    | `16x32bx2` | 16, N in two places | N | 1 to 128 |

    N is a power of two. With `pack` or `unpack` the columns double. Several counts
    allow a transfer to mix them, and it then takes the fewest instructions: 96
    columns are one x64 and one x32.

    ```mlir
    #tmem.atom<32x32b, x64>
    #tmem.atom<16x128b, x8, pack>
    #tmem.atom<32x32b, x64, x32>
    ```

    Rules A1 and A6. Source: PTX ISA, "tcgen05.ld" and "tcgen05.st".
  }];
  let parameters = (ins
    "::mlir::tmem::AtomShape":$shape,
    ArrayRefParameter<"unsigned">:$repeats,
    "::mlir::tmem::Packing":$packing);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    ::mlir::tmem::Atom getAtom() const;
  }];
}

def TMem_ScopeAttr : TMem_Attr<"Scope", "scope"> {
  let summary = "the threads that execute a transfer";
  let description = [{
    `warp N`: one warp, whose number is N modulo 4. `warpgroup`: the four warps of
    a warpgroup. `cta`: all warps of the CTA; the register layout says how many,
    and each warpgroup may access columns a constant number after the one before.

    A warp reaches 32 TMEM lanes, its slab: those from 32 * (warp mod 4) on.

    ```mlir
    #tmem.scope<warpgroup>
    #tmem.scope<warp 2>
    ```

    Rule A5.
  }];
  let parameters = (ins
    "::mlir::tmem::ScopeKind":$kind,
    DefaultValuedParameter<"int64_t", "0">:$warp);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    ::mlir::tmem::Scope getScope() const {
      return {getKind(), static_cast<unsigned>(getWarp())};
    }
  }];
}

def TMem_FenceKind : I32EnumAttr<"FenceKind", "side of a thread synchronization", [
    I32EnumAttrCase<"Before", 0, "before">,
    I32EnumAttrCase<"After", 1, "after">]> {
  let cppNamespace = "::mlir::tmem";
  let genSpecializedAttr = 0;
}

def TMem_FenceKindAttr : EnumAttr<TMem_Dialect, TMem_FenceKind, "fence_kind">;

def TMem_ReduceKind : I32EnumAttr<"ReduceKind", "reduction of loaded elements", [
    I32EnumAttrCase<"MinSI", 0, "minsi">, I32EnumAttrCase<"MinUI", 1, "minui">,
    I32EnumAttrCase<"MaxSI", 2, "maxsi">, I32EnumAttrCase<"MaxUI", 3, "maxui">,
    I32EnumAttrCase<"MinNumF", 4, "minnumf">,
    I32EnumAttrCase<"MaxNumF", 5, "maxnumf">,
    I32EnumAttrCase<"MinimumF", 6, "minimumf">,
    I32EnumAttrCase<"MaximumF", 7, "maximumf">]> {
  let cppNamespace = "::mlir::tmem";
  let genSpecializedAttr = 0;
}

def TMem_ReduceKindAttr : EnumAttr<TMem_Dialect, TMem_ReduceKind, "reduce_kind">;

#endif // TMEM_IR_TMEMATTRIBUTES_TD
