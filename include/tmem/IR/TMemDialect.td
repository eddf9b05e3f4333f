//===- TMemDialect.td - The tmem dialect -------------------*- tablegen -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_IR_TMEMDIALECT_TD
#define TMEM_IR_TMEMDIALECT_TD

include "mlir/IR/OpBase.td"

def TMem_Dialect : Dialect {
  let name = "tmem";
  let cppNamespace = "::mlir::tmem";
  let summary = "Tensor Memory of NVIDIA data-centre GPUs";
  let description = [{
    Tensor Memory (TMEM) holds the accumulators of `tcgen05.mma`: 128 lanes by
    512 columns of 32-bit cells for each CTA (PTX ISA, "Tensor Memory"). Only
    `tcgen05.ld` and `tcgen05.st` move data between TMEM and registers, and each
    moves one fixed picture of lanes, columns and registers.

    In this dialect a tile in TMEM is a `!tmem.view` with a layout, and the
    registers that hold a tile across the threads of a warp, warpgroup or CTA
    are described by a layout too. A transfer names the instruction (its atom)
    and is verified: either the atom moves exactly that tile to those registers,
    or the diagnostic names the first element in the wrong place. Where the
    instruction or the registers are left out, `tmem-select-atoms` chooses them.

    A loaded vector has the type `!tmem.pending<...>` until `tmem.wait_load`
    gives it back, so reading registers before their wait is a type error.

    ```mlir
    #regs = #tmem.layout<(64, 2, 64) : (1@tid, 64@tid, 1@reg)>
    !acc = !tmem.view<64x128xf32, #tmem.datapath<B>>

    %mem = tmem.view %base : !acc
    %t = tmem.store %src, %mem registers(#regs) atom(<32x32b, x64>)
           scope(warpgroup) : vector<64xf32>, !acc
    tmem.wait_store %t
    %p = tmem.load %mem registers(#regs) atom(<32x32b, x64>) scope(warpgroup)
           : !acc -> !tmem.pending<vector<64xf32>>
    %v = tmem.wait_load %p : !tmem.pending<vector<64xf32>>
    ```

    Every rule that verification enforces has an id, which the diagnostic's note
    names; `docs/Rules.md` lists them.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    /// Marks an `llvm.inline_asm` whose call the translation to LLVM IR makes
    /// convergent, which the LLVM dialect of MLIR 22 cannot say.
    static constexpr ::llvm::StringLiteral getConvergentAttrName() {
      return "tmem.convergent";
    }

    /// The plan of a transfer, computed once for each distinct transfer.
    const PlanResult &getOrCreatePlan(const TransferKey &key);

    /// The layouts of attributes of other dialects.
    LayoutCache &getLayoutCache() { return *layoutCache; }

  private:
    void registerAttributes();
    void registerTypes();
    std::shared_ptr<LayoutCache> layoutCache;
    std::shared_ptr<PlanCache> planCache;
  }];
}

#endif // TMEM_IR_TMEMDIALECT_TD
