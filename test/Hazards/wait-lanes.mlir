// A wait is of the whole warp, as the transfers are: one lane alone cannot wait.

// RUN: tmem-opt %s --tmem-check-hazards='report=warning undecided=error' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: %exits_1 tmem-run %s --entry=run_H13_wait_on_lane_0 --seeds=2 2>&1 | FileCheck %s --check-prefix=FAULT
// RUN: %exits_1 tmem-run %s --entry=run_H13_intrinsic_on_lane_0 --seeds=2 2>&1 | FileCheck %s --check-prefix=FAULT
// RUN: %exits_1 tmem-run %s --entry=run_H13_inline_ptx_on_lane_0 --seeds=2 2>&1 | FileCheck %s --check-prefix=FAULT
// RUN: %exits_1 tmem-run %s --entry=run_H13_wait_of_the_elected --seeds=2 2>&1 | FileCheck %s --check-prefix=FAULT
// RUN: tmem-run %s --entry=run_right --race --seeds=2 | FileCheck %s --check-prefix=RIGHT

// FAULT: error: {{.*}}lane
// RIGHT: 2 seeds: 2 clean

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!slot = memref<1xi32, #gpu.address_space<workgroup>>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @H13_wait_on_lane_0() workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %n16 = arith.constant 16 : i32
      %n96 = arith.constant 96 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %t32 = arith.index_cast %tid : index to i32
      %lane = arith.remui %tid, %c32 : index
      %first = arith.cmpi ult, %tid, %c32 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %rows = arith.andi %t32, %n96 : i32
      %slab = arith.shli %rows, %n16 : i32
      %address = arith.addi %base, %slab : i32
      %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.st %p, %values {shape = #s} : vector<8xi32>
      %waits = arith.cmpi eq, %lane, %c0 : index
      scf.if %waits {
        // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}expected all lanes of a warp to execute it, but some lanes of warp 0 do not
        // CHECK: note: rule H13:
        nvvm.tcgen05.wait <store>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @H13_intrinsic_on_lane_0() workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %n16 = arith.constant 16 : i32
      %n96 = arith.constant 96 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %t32 = arith.index_cast %tid : index to i32
      %lane = arith.remui %tid, %c32 : index
      %first = arith.cmpi ult, %tid, %c32 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %rows = arith.andi %t32, %n96 : i32
      %slab = arith.shli %rows, %n16 : i32
      %address = arith.addi %base, %slab : i32
      %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.st %p, %values {shape = #s} : vector<8xi32>
      %waits = arith.cmpi eq, %lane, %c0 : index
      scf.if %waits {
        // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}expected all lanes of a warp to execute it, but some lanes of warp 0 do not
        // CHECK: note: rule H13:
        llvm.call_intrinsic "llvm.nvvm.tcgen05.wait.st"() : () -> ()
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @H13_inline_ptx_on_lane_0() workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %n16 = arith.constant 16 : i32
      %n96 = arith.constant 96 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %t32 = arith.index_cast %tid : index to i32
      %lane = arith.remui %tid, %c32 : index
      %first = arith.cmpi ult, %tid, %c32 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %rows = arith.andi %t32, %n96 : i32
      %slab = arith.shli %rows, %n16 : i32
      %address = arith.addi %base, %slab : i32
      %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.st %p, %values {shape = #s} : vector<8xi32>
      %waits = arith.cmpi eq, %lane, %c0 : index
      scf.if %waits {
        // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}expected all lanes of a warp to execute it, but some lanes of warp 0 do not
        // CHECK: note: rule H13:
        llvm.inline_asm has_side_effects "tcgen05.wait::st.sync.aligned;", "" : () -> ()
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @H13_wait_of_the_elected() workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %n16 = arith.constant 16 : i32
      %n96 = arith.constant 96 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %t32 = arith.index_cast %tid : index to i32
      %first = arith.cmpi ult, %tid, %c32 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %rows = arith.andi %t32, %n96 : i32
      %slab = arith.shli %rows, %n16 : i32
      %address = arith.addi %base, %slab : i32
      %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.st %p, %values {shape = #s} : vector<8xi32>
      %waits = nvvm.elect.sync -> i1
      scf.if %waits {
        // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}expected all lanes of a warp to execute it, but some lanes of warp 0 do not
        // CHECK: note: rule H13:
        nvvm.tcgen05.wait <store>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @right() workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %n16 = arith.constant 16 : i32
      %n96 = arith.constant 96 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %t32 = arith.index_cast %tid : index to i32
      %first = arith.cmpi ult, %tid, %c32 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %rows = arith.andi %t32, %n96 : i32
      %slab = arith.shli %rows, %n16 : i32
      %address = arith.addi %base, %slab : i32
      %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.st %p, %values {shape = #s} : vector<8xi32>
      nvvm.tcgen05.wait <store>
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }
  }

  func.func @run_H13_wait_on_lane_0() {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@H13_wait_on_lane_0 blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
    return
  }

  func.func @run_H13_intrinsic_on_lane_0() {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@H13_intrinsic_on_lane_0 blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
    return
  }

  func.func @run_H13_inline_ptx_on_lane_0() {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@H13_inline_ptx_on_lane_0 blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
    return
  }

  func.func @run_H13_wait_of_the_elected() {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@H13_wait_of_the_elected blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
    return
  }

  func.func @run_right() {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@right blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
    return
  }
}
