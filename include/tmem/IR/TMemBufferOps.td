//===- TMemBufferOps.td - Tiles without an address ---------*- tablegen -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Included by TMemOps.td, which has the base classes.

#ifndef TMEM_IR_TMEMBUFFEROPS_TD
#define TMEM_IR_TMEMBUFFEROPS_TD

def TMem_BufferOp : TMem_Op<"buffer", [NamesResults]> {
  let summary = "a tile whose columns are left to tmem-plan-columns";
  let description = [{
    A tile of Tensor Memory that lives from its first write to its last read.
    `tmem-plan-columns` gives it columns, which buffers that do not live at the
    same time share, and makes the one allocation that holds them all.

    ```mlir
    %acc = tmem.buffer : !tmem.view<128x96xf32, #tmem.datapath<D>>
    %scales = tmem.buffer align(4) : !scales
    ```

    `align` is what the first column, counted from the first one of the
    allocation, is a multiple of: a power of two. The contents are undefined
    where the operation is executed: in a loop, at the start of each iteration.

    A tile with elements in lanes 0 to 15 of slabs alone, such as that of
    datapath F with `half = 0`, may be placed 16 lanes further down, so that two
    of them share columns. The address then has the 16 lanes in it; the type stays
    as it is.

    A ring of stages is a buffer with a leading dimension that advances along
    columns. A window with a dynamic offset is a stage:

    ```mlir
    !ring = !tmem.view<3x128x96xf32,
        #tmem.layout<(3, 128, 96) : (96@tcol, 1@tlane, 1@tcol)>>
    %ring = tmem.buffer : !ring
    %window = tmem.subview %ring[%i, 0, 0] [1, 128, 96] : !ring to !window
    %stage = tmem.rearrange %window "s r c -> (s r) c" : !window to !acc
    ```

    Buffers belong to a kernel, a `gpu.func` with the attribute `kernel`.

    Rules B1 and B2.
  }];
  let arguments = (ins DefaultValuedAttr<I64Attr, "1">:$alignment);
  let results = (outs
    Res<TMem_ViewType, "the tile", [MemAlloc<TMem_Resource>]>:$view);
  let assemblyFormat = [{
    (`align` `(` $alignment^ `)`)? attr-dict `:` qualified(type($view))
  }];
  let hasVerifier = 1;
}

#endif // TMEM_IR_TMEMBUFFEROPS_TD
