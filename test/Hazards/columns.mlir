// Numbers of columns that only this pass sees: values, and allocations that wait for
// each other. Each wrong kernel faults on the emulator, too.

// RUN: tmem-opt %s --tmem-check-hazards=undecided=error -verify-diagnostics -o /dev/null
// RUN: %exits_1 tmem-run %s --entry=run_H23_beside_an_exclusive_one --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_C1_columns_as_values --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_H13_columns_by_lane --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E2
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!slot = memref<1xi32, #gpu.address_space<workgroup>>

module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32

  // E0: error: {{.*}}deadlock
  gpu.func @H23_beside_an_exclusive_one() workgroup(%slot: !slot, %other: !slot) kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    scf.if %w0 {
      // expected-note @+1 {{allocated here}}
      tmem.alloc exclusive %slot, 96 : !slot
      // expected-error @+3 {{expected no other allocation beside an exclusive one, but got one}}
      // expected-note @+2 {{rule H23:}}
      // expected-note @+1 {{to fix it, free the one before the other}}
      tmem.alloc %other, 32 : !slot
    }
    gpu.barrier
    %c0 = arith.constant 0 : index
    %base = memref.load %slot[%c0] : !slot
    %second = memref.load %other[%c0] : !slot
    tmem.fence before
    gpu.barrier
    tmem.fence after
    scf.if %w0 {
      tmem.dealloc exclusive %base, 96
      tmem.dealloc %second, 32
    }
    gpu.return
  }

  gpu.func @right_H23_beside_an_exclusive_one() workgroup(%slot: !slot, %other: !slot) kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    scf.if %w0 {
      tmem.alloc exclusive %slot, 96 : !slot
    }
    gpu.barrier
    %c0 = arith.constant 0 : index
    %base = memref.load %slot[%c0] : !slot
    tmem.fence before
    gpu.barrier
    tmem.fence after
    scf.if %w0 {
      tmem.dealloc exclusive %base, 96
      tmem.alloc %other, 32 : !slot
    }
    gpu.barrier
    %second = memref.load %other[%c0] : !slot
    tmem.fence before
    gpu.barrier
    tmem.fence after
    scf.if %w0 {
      tmem.dealloc %second, 32
    }
    gpu.return
  }

  // E1: error: {{.*}}expected a power of two from 32 to 512 columns, but got 96
  gpu.func @C1_columns_as_values() workgroup(%slot: !slot, %other: !slot) kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %n64 = arith.constant 64 : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %threads = nvvm.read.ptx.sreg.ntid.x : i32
    %sum = arith.subi %threads, %n64 : i32
    scf.if %w0 {
      // expected-error @+3 {{expected a power of two from 32 to 512 columns, but got 96}}
      // expected-note @+2 {{rule C1:}}
      // expected-note @+1 {{to fix it, round it up, and free as many}}
      tmem.alloc %slot, %sum : !slot
    }
    gpu.barrier
    %c0 = arith.constant 0 : index
    %base = memref.load %slot[%c0] : !slot
    tmem.fence before
    gpu.barrier
    tmem.fence after
    scf.if %w0 {
      // expected-error @+3 {{expected a power of two from 32 to 512 columns, but got 96}}
      // expected-note @+2 {{rule C1:}}
      // expected-note @+1 {{to fix it, round it up, and free as many}}
      tmem.dealloc %base, %sum
    }
    gpu.return
  }

  gpu.func @right_C1_columns_as_values() workgroup(%slot: !slot, %other: !slot) kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %threads = nvvm.read.ptx.sreg.ntid.x : i32
    %sum = arith.subi %threads, %n32 : i32
    scf.if %w0 {
      tmem.alloc %slot, %sum : !slot
    }
    gpu.barrier
    %c0 = arith.constant 0 : index
    %base = memref.load %slot[%c0] : !slot
    tmem.fence before
    gpu.barrier
    tmem.fence after
    scf.if %w0 {
      tmem.dealloc %base, %sum
    }
    gpu.return
  }

  // E2: error: {{.*}}expected the same number of columns in all lanes
  gpu.func @H13_columns_by_lane() workgroup(%slot: !slot, %other: !slot) kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n16 = arith.constant 16 : i32
    %n32 = arith.constant 32 : i32
    %n64 = arith.constant 64 : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %low = arith.cmpi ult, %tid, %n16 : i32
    %columns = arith.select %low, %n32, %n64 : i32
    scf.if %w0 {
      // expected-error @+3 {{expected the same number of columns in all lanes of warp 0, but got several}}
      // expected-note @+2 {{rule H13:}}
      // expected-note @+1 {{to fix it, compute it from the warp, not from the lane}}
      tmem.alloc %slot, %columns : !slot
    }
    gpu.barrier
    %c0 = arith.constant 0 : index
    %base = memref.load %slot[%c0] : !slot
    tmem.fence before
    gpu.barrier
    tmem.fence after
    scf.if %w0 {
      // expected-error @+3 {{expected the same number of columns in all lanes of warp 0, but got several}}
      // expected-note @+2 {{rule H13:}}
      // expected-note @+1 {{to fix it, compute it from the warp, not from the lane}}
      tmem.dealloc %base, %columns
    }
    gpu.return
  }

  gpu.func @right_H13_columns_by_lane() workgroup(%slot: !slot, %other: !slot) kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %n64 = arith.constant 64 : i32
    %n128 = arith.constant 128 : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %w4 = arith.cmpi uge, %tid, %n128 : i32
    %columns = arith.select %w4, %n32, %n64 : i32
    scf.if %w0 {
      tmem.alloc %slot, %columns : !slot
    }
    gpu.barrier
    %c0 = arith.constant 0 : index
    %base = memref.load %slot[%c0] : !slot
    tmem.fence before
    gpu.barrier
    tmem.fence after
    scf.if %w0 {
      tmem.dealloc %base, %columns
    }
    gpu.return
  }
}

func.func @run_H23_beside_an_exclusive_one() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H23_beside_an_exclusive_one blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_C1_columns_as_values() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@C1_columns_as_values blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H13_columns_by_lane() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H13_columns_by_lane blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @right() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@right_H23_beside_an_exclusive_one blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_C1_columns_as_values blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_H13_columns_by_lane blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  // RIGHT: no fault
  vector.print str "no fault\n"
  return
}
}
