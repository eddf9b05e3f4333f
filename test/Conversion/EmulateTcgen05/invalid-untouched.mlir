// RUN: tmem-opt %s | sed -e '/^$/d' > %t.before
// RUN: not tmem-opt %s --emulate-tcgen05 --mlir-print-ir-after-failure 2> %t.host
// RUN: sed -e '1,/IR Dump After/d' -e '/^$/d' %t.host | diff %t.before -
// RUN: not tmem-opt %s --emulate-tcgen05=mode=device --mlir-print-ir-after-failure 2> %t.device
// RUN: sed -e '1,/IR Dump After/d' -e '/^$/d' %t.device | diff %t.before -
// RUN: FileCheck %s --input-file=%t.host
// RUN: FileCheck %s --input-file=%t.device

// An error leaves what has been rewritten before it as it was, in other modules
// too.

// CHECK-COUNT-1: error: 'llvm.load' op is not emulated: a TMEM address as a pointer

gpu.module @good {
  llvm.mlir.global internal @shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<4 x i32>
  llvm.mlir.global internal constant @table(7 : i32) {addr_space = 1 : i32} : i32

  llvm.func @callee(%x: i32 {llvm.noundef}) -> i32 attributes {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, will_return} {
    llvm.return %x : i32
  }

  // Registers that are pending in a loop, and are read there.
  llvm.func @kernel(%a: !llvm.ptr<6>, %n: i32, %out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %v = nvvm.tcgen05.ld %a {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<2xi32>
    llvm.br ^loop(%zero, %v : i32, vector<2xi32>)
  ^loop(%i: i32, %old: vector<2xi32>):
    %x = llvm.extractelement %old[%zero : i32] : vector<2xi32>
    %asm = llvm.inline_asm has_side_effects "mov.b32 $0, $2; mov.b32 $1, $3;", "=r,=r,r,r" %x, %i : (i32, i32) -> !llvm.struct<(i32, i32)>
    %y = llvm.extractvalue %asm[0] : !llvm.struct<(i32, i32)>
    %j = llvm.extractvalue %asm[1] : !llvm.struct<(i32, i32)>
    %z = llvm.call @callee(%y) : (i32) -> i32
    %new = nvvm.tcgen05.ld %a {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<2xi32>
    llvm.store %z, %out : i32, !llvm.ptr<1>
    %next = llvm.add %j, %one : i32
    %more = llvm.icmp "slt" %next, %n : i32
    llvm.cond_br %more, ^loop(%next, %new : i32, vector<2xi32>), ^done
  ^done:
    nvvm.tcgen05.wait <load>
    %shared = llvm.mlir.addressof @shared : !llvm.ptr<3>
    %table = llvm.mlir.addressof @table : !llvm.ptr<1>
    %word = llvm.load %table : !llvm.ptr<1> -> i32
    %sum = llvm.atomicrmw add %shared, %word syncscope("block") acq_rel : !llvm.ptr<3>, i32
    %generic = llvm.addrspacecast %shared : !llvm.ptr<3> to !llvm.ptr
    llvm.store %sum, %generic : i32, !llvm.ptr
    llvm.return
  }
}

gpu.module @bad {
  llvm.func @kernel(%a: !llvm.ptr<6>) attributes {gpu.kernel, nvvm.kernel} {
    %v = nvvm.tcgen05.ld %a {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<2xi32>
    %w = llvm.load %a : !llvm.ptr<6> -> vector<2xi32>
    nvvm.tcgen05.wait <load>
    %x = llvm.add %v, %w : vector<2xi32>
    nvvm.tcgen05.st %a, %x {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<2xi32>
    nvvm.tcgen05.wait <store>
    llvm.return
  }
}
