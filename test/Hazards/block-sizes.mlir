// With how many threads a kernel runs: what it requires comes first, then each launch
// that is in sight; what is a guess is said to be one.

// RUN: tmem-opt %s --tmem-check-hazards=report=warning -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// RUN: not tmem-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(tmem-check-hazards{undecided=error})))' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --check-prefix=ALONE --implicit-check-not=error:
// RUN: tmem-opt %s --tmem-check-hazards='threads=128 undecided=error' -o /dev/null
// RUN: not tmem-opt %s --tmem-check-hazards='threads=256 undecided=error' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=THREADS --implicit-check-not=undecided:
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=run_two_launches --race --seeds=3 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: %exits_1 tmem-run %s --entry=run_computed_launch --race --seeds=3 2>&1 | FileCheck %s --check-prefix=RACE

// RACE: error: race: this store of warp {{[0-9]+}} and the store of warp {{[0-9]+}} meet at a cell

// ALONE: error: 'gpu.func' op undecided: whether it is right in a block of other than 128 threads, a guess, as nothing in sight says its size: give the kernel known_block_size, or the pass threads=N
// ALONE: error: 'gpu.func' op undecided: {{.*}}other than 128 threads, a guess, as nothing
// ALONE: error: 'gpu.func' op undecided: {{.*}}other than 128 threads, a guess, as nothing
// ALONE: error: 'tmem.write' op expected a barrier between this and the store of another warp
// ALONE: note: found for a block of 256 threads
// ALONE: error: 'gpu.func' op undecided: {{.*}}other than 256 threads, a guess, as maxntid is a limit, and no launch is in sight
// ALONE: error: 'gpu.func' op undecided: {{.*}}other than 128 threads, a guess, as nothing

// THREADS-COUNT-6: error: 'tmem.write' op expected a barrier between this and the store of another warp

!slot = memref<1xi32, #gpu.address_space<workgroup>>
!view = !tmem.view<128x8xi32, #tmem.datapath<D>>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // 4 warps store to all lanes; of more, two store to the same cells.
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: warning: {{.*}}undecided: whether it is right in a block of other than 128 threads, a guess, as nothing in sight says its size: give the kernel known_block_size, or the pass threads=N
    gpu.func @no_launch() workgroup(%slot: !slot) kernel {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %sevens = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      tmem.write %sevens, %mem scope(warpgroup) : vector<8xi32>, !view
      gpu.barrier
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: warning: {{.*}}in a block of other than 128 threads, a guess, as a launch computes its size
    gpu.func @computed_launch() workgroup(%slot: !slot) kernel {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %sevens = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      tmem.write %sevens, %mem scope(warpgroup) : vector<8xi32>, !view
      gpu.barrier
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @two_launches() workgroup(%slot: !slot) kernel {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %sevens = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      // CHECK: :[[@LINE+5]]:{{[0-9]+}}: warning: {{.*}}expected a barrier between this and the store of another warp
      // CHECK: note: accessed here by another warp
      // CHECK: note: rule H11
      // CHECK: note: to fix it
      // CHECK: note: found for a block of 256 threads
      tmem.write %sevens, %mem scope(warpgroup) : vector<8xi32>, !view
      gpu.barrier
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    // It may have as many, but its launch has fewer.
    gpu.func @limit() workgroup(%slot: !slot) kernel attributes {nvvm.maxntid = array<i32: 256>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %sevens = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      tmem.write %sevens, %mem scope(warpgroup) : vector<8xi32>, !view
      gpu.barrier
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @required() workgroup(%slot: !slot) kernel attributes {nvvm.reqntid = array<i32: 128>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %sevens = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      tmem.write %sevens, %mem scope(warpgroup) : vector<8xi32>, !view
      gpu.barrier
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @one_launch() workgroup(%slot: !slot) kernel {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %sevens = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      tmem.write %sevens, %mem scope(warpgroup) : vector<8xi32>, !view
      gpu.barrier
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }
  }

  func.func @run_two_launches() {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    gpu.launch_func @kernels::@two_launches blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1)
    gpu.launch_func @kernels::@two_launches blocks in (%c1, %c1, %c1)
        threads in (%c256, %c1, %c1)
    return
  }
  func.func @run_computed_launch() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %number = memref.alloc() : memref<1xindex>
    memref.store %c256, %number[%c0] : memref<1xindex>
    %threads = memref.load %number[%c0] : memref<1xindex>
    gpu.launch_func @kernels::@computed_launch blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1)
    return
  }
  func.func @right() {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@limit blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1)
    gpu.launch_func @kernels::@required blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1)
    gpu.launch_func @kernels::@one_launch blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1)
    // RIGHT: no fault
    vector.print str "no fault\n"
    return
  }
}
