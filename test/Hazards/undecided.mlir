// What cannot be decided is said, or is an error, or is not said.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(tmem-check-hazards)))' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: not tmem-opt %s --tmem-check-hazards=undecided=error -o /dev/null 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: tmem-opt %s --tmem-check-hazards=undecided=ignore -o /dev/null 2>&1 | FileCheck %s --check-prefix=IGNORE --allow-empty
// RUN: not tmem-opt %s --tmem-check-hazards=mode=lax 2>&1 | FileCheck %s --check-prefix=MODE
// RUN: not tmem-opt %s --tmem-check-hazards=undecided=maybe 2>&1 | FileCheck %s --check-prefix=UNDECIDED
// RUN: not tmem-opt %s --tmem-check-hazards=report=note 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: not tmem-opt %s --tmem-check-hazards=threads=33 2>&1 | FileCheck %s --check-prefix=THREADS

// IGNORE-NOT: undecided
// ERROR-COUNT-7: error: {{.*}}undecided:
// MODE: error: {{.*}}expected the mode strict or register-dependence, but got lax
// UNDECIDED: error: {{.*}}expected undecided=warn, ignore or error, but got maybe
// REPORT: error: {{.*}}expected report=error or warning, but got note
// THREADS: error: {{.*}}expected a multiple of 32 threads up to 1024, but got 33

#regs = #tmem.layout<(128, 8) : (1@tid, 1@reg)>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!view = !tmem.view<128x8xi32, #tmem.datapath<D>>

gpu.module @kernels {
  func.func private @outside(i32)
  func.func @itself(%base: i32) {
    func.call @itself(%base) : (i32) -> ()
    return
  }

  gpu.func @callees(%n: index) workgroup(%slot: !slot) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    tmem.alloc %slot, 32 : !slot
    gpu.barrier
    %base = memref.load %slot[%c0] : !slot
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: warning: 'func.call' op undecided: what it does: what it calls is not followed
    func.call @outside(%base) : (i32) -> ()
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: warning: 'func.call' op undecided: what it does
    func.call @itself(%base) : (i32) -> ()
    tmem.dealloc %base, 32
    gpu.return
  }

  gpu.func @addresses(%other: i32) workgroup(%slot: !slot) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %values = arith.constant dense<0> : vector<8xi32>
    tmem.alloc %slot, 32 : !slot
    gpu.barrier
    %base = memref.load %slot[%c0] : !slot
    %mem = tmem.view %other : !view
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: warning: {{.*}}undecided: which allocation it accesses
    %t = tmem.store %values, %mem registers(#regs) atom(<32x32b, x8>)
        scope(warpgroup) : vector<8xi32>, !view
    tmem.wait_store %t
    tmem.dealloc %base, 32
    gpu.return
  }

  gpu.func @barriers(%id: i32) workgroup(%slot: !slot) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %n32 = arith.constant 32 : i32
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %first = arith.cmpi ult, %tid, %c32 : index
    scf.if %first {
      tmem.alloc %slot, 32 : !slot
    }
    gpu.barrier
    %base = memref.load %slot[%c0] : !slot
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: warning: {{.*}}undecided: which warps meet at the barrier
    nvvm.barrier id = %id number_of_threads = %n32
    scf.if %first {
      tmem.dealloc %base, 32
    }
    gpu.return
  }

  gpu.func @mbarriers(%number: i64) workgroup(%slot: !slot) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    tmem.alloc %slot, 32 : !slot
    gpu.barrier
    %base = memref.load %slot[%c0] : !slot
    %b = llvm.inttoptr %number : i64 to !llvm.ptr<3>
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: warning: {{.*}}undecided: which mbarrier it names
    %state = nvvm.mbarrier.arrive %b : !llvm.ptr<3> -> i64
    tmem.dealloc %base, 32
    gpu.return
  }

  gpu.func @lanes(%data: memref<64xi32>) workgroup(%slot: !slot) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0 : i32
    %tid = gpu.thread_id x
    %first = arith.cmpi ult, %tid, %c32 : index
    scf.if %first {
      tmem.alloc %slot, 32 : !slot
    }
    gpu.barrier
    %base = memref.load %slot[%c0] : !slot
    %word = memref.load %data[%tid] : memref<64xi32>
    %some = arith.cmpi eq, %word, %zero : i32
    scf.if %some {
      // CHECK: :[[@LINE+1]]:{{[0-9]+}}: warning: {{.*}}undecided: which lanes execute it
      nvvm.tcgen05.wait <load>
    }
    gpu.barrier
    scf.if %first {
      tmem.dealloc %base, 32
    }
    gpu.return
  }

  gpu.func @assembly() workgroup(%slot: !slot) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    tmem.alloc %slot, 32 : !slot
    gpu.barrier
    %base = memref.load %slot[%c0] : !slot
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: warning: {{.*}}undecided: what it does: inline PTX of this form is not read here
    llvm.inline_asm has_side_effects "@p tcgen05.wait::ld.sync.aligned;", "~{memory}" : () -> ()
    tmem.dealloc %base, 32
    gpu.return
  }
}
