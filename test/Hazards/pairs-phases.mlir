// Pairs of CTAs: which phase of the cluster's barrier comes behind the alloc, and which
// warp has waited for it. Each kernel is wrong, is found, and faults on the emulator;
// each has twins that are right.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(llvm.func(tmem-check-hazards{report=warning undecided=error})))' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=run_H20_phase_before --seeds=3 2>&1 | FileCheck %s --check-prefixes=E0,EVERY
// RUN: %exits_1 tmem-run %s --entry=run_H20_handed_on --seeds=3 2>&1 | FileCheck %s --check-prefixes=E1,EVERY

module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32

    // The wait is for the phase of the arrive in front of the alloc.
    llvm.func @H20_phase_before()
        attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
      %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c32 = llvm.mlir.constant(32 : i32) : i32
      %c64 = llvm.mlir.constant(64 : i32) : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %first = llvm.icmp "ult" %tid, %c32 : i32
      scf.if %first {
        nvvm.cluster.arrive
        tmem.alloc %slot, 32 cta_group(2) : !llvm.ptr<3>
        nvvm.cluster.wait
        nvvm.barrier id = %c1 number_of_threads = %c64
        nvvm.cluster.arrive
        nvvm.cluster.wait
      } else {
        nvvm.cluster.arrive
        nvvm.cluster.wait
        nvvm.barrier id = %c1 number_of_threads = %c64
        %base = llvm.load %slot : !llvm.ptr<3> -> i32
        // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}expected a barrier of the cluster between the alloc and the dealloc
        // CHECK: note: rule H20:
        // E0: :[[@LINE+1]]:{{[0-9]+}}: {{.*}}tcgen05.dealloc{{.*}}: error: dealloc is not ordered after the alloc of the peer
        tmem.dealloc %base, 32 cta_group(2)
        nvvm.cluster.arrive
        nvvm.cluster.wait
      }
      llvm.return
    }

    llvm.func @right_H20_phase()
        attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
      %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c32 = llvm.mlir.constant(32 : i32) : i32
      %c64 = llvm.mlir.constant(64 : i32) : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %first = llvm.icmp "ult" %tid, %c32 : i32
      scf.if %first {
        nvvm.cluster.arrive
        tmem.alloc %slot, 32 cta_group(2) : !llvm.ptr<3>
        nvvm.cluster.wait
        nvvm.barrier id = %c1 number_of_threads = %c64
        nvvm.cluster.arrive
        nvvm.cluster.wait
      } else {
        nvvm.cluster.arrive
        nvvm.cluster.wait
        nvvm.barrier id = %c1 number_of_threads = %c64
        %base = llvm.load %slot : !llvm.ptr<3> -> i32
        nvvm.cluster.arrive
        nvvm.cluster.wait
        tmem.dealloc %base, 32 cta_group(2)
      }
      llvm.return
    }

    // The wait stands behind.
    llvm.func @H20_handed_on()
        attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
      %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c32 = llvm.mlir.constant(32 : i32) : i32
      %c64 = llvm.mlir.constant(64 : i32) : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %first = llvm.icmp "ult" %tid, %c32 : i32
      scf.if %first {
        tmem.alloc %slot, 32 cta_group(2) : !llvm.ptr<3>
        nvvm.barrier id = %c1 number_of_threads = %c64
        nvvm.cluster.arrive
        nvvm.cluster.wait
      } else {
        nvvm.cluster.arrive
        nvvm.barrier id = %c1 number_of_threads = %c64
        %base = llvm.load %slot : !llvm.ptr<3> -> i32
        // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}expected a barrier of the cluster between the alloc and the dealloc
        // CHECK: note: rule H20:
        // E1: :[[@LINE+1]]:{{[0-9]+}}: {{.*}}tcgen05.dealloc{{.*}}: error: dealloc is not ordered after the alloc of the peer
        tmem.dealloc %base, 32 cta_group(2)
        nvvm.cluster.wait
      }
      llvm.return
    }

    // Another warp has waited.
    llvm.func @right_H20_handed_on()
        attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
      %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c32 = llvm.mlir.constant(32 : i32) : i32
      %c64 = llvm.mlir.constant(64 : i32) : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %first = llvm.icmp "ult" %tid, %c32 : i32
      scf.if %first {
        tmem.alloc %slot, 32 cta_group(2) : !llvm.ptr<3>
        nvvm.cluster.arrive
        nvvm.cluster.wait
        nvvm.barrier id = %c1 number_of_threads = %c64
      } else {
        nvvm.cluster.arrive
        nvvm.barrier id = %c1 number_of_threads = %c64
        %base = llvm.load %slot : !llvm.ptr<3> -> i32
        tmem.dealloc %base, 32 cta_group(2)
        nvvm.cluster.wait
      }
      llvm.return
    }

    // Another warp arrives behind the alloc.
    llvm.func @right_H20_arrives_behind()
        attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
      %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c32 = llvm.mlir.constant(32 : i32) : i32
      %c64 = llvm.mlir.constant(64 : i32) : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %first = llvm.icmp "ult" %tid, %c32 : i32
      scf.if %first {
        nvvm.cluster.arrive
        tmem.alloc %slot, 32 cta_group(2) : !llvm.ptr<3>
        nvvm.barrier id = %c1 number_of_threads = %c64
        nvvm.cluster.wait
      } else {
        nvvm.barrier id = %c1 number_of_threads = %c64
        nvvm.cluster.arrive
        nvvm.cluster.wait
        %base = llvm.load %slot : !llvm.ptr<3> -> i32
        tmem.dealloc %base, 32 cta_group(2)
      }
      llvm.return
    }

    // The arm of the dealloc is in front of that of the alloc.
    llvm.func @right_H20_arm_in_front()
        attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
      %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c32 = llvm.mlir.constant(32 : i32) : i32
      %c64 = llvm.mlir.constant(64 : i32) : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %first = llvm.icmp "ult" %tid, %c32 : i32
      %second = llvm.icmp "uge" %tid, %c32 : i32
      scf.if %second {
        nvvm.cluster.arrive
        nvvm.cluster.wait
        %base = llvm.load %slot : !llvm.ptr<3> -> i32
        tmem.dealloc %base, 32 cta_group(2)
      } else {
        tmem.alloc %slot, 32 cta_group(2) : !llvm.ptr<3>
        nvvm.cluster.arrive
        nvvm.cluster.wait
      }
      llvm.return
    }

    llvm.func @right_H20_arm_between()
        attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
      %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c32 = llvm.mlir.constant(32 : i32) : i32
      %c64 = llvm.mlir.constant(64 : i32) : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %first = llvm.icmp "ult" %tid, %c32 : i32
      %second = llvm.icmp "uge" %tid, %c32 : i32
      scf.if %first {
        tmem.alloc %slot, 32 cta_group(2) : !llvm.ptr<3>
      }
      scf.if %second {
        nvvm.cluster.arrive
        nvvm.cluster.wait
        %base = llvm.load %slot : !llvm.ptr<3> -> i32
        tmem.dealloc %base, 32 cta_group(2)
      }
      scf.if %first {
        nvvm.cluster.arrive
        nvvm.cluster.wait
      }
      llvm.return
    }
  }

  func.func @run_H20_phase_before() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %threads = arith.constant 64 : index
    gpu.launch_func @kernels::@H20_phase_before clusters in (%c2, %c1, %c1)
        blocks in (%c2, %c1, %c1) threads in (%threads, %c1, %c1)
    return
  }
  func.func @run_H20_handed_on() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %threads = arith.constant 64 : index
    gpu.launch_func @kernels::@H20_handed_on clusters in (%c2, %c1, %c1)
        blocks in (%c2, %c1, %c1) threads in (%threads, %c1, %c1)
    return
  }

  // RIGHT: no fault
  func.func @right() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %threads = arith.constant 64 : index
    gpu.launch_func @kernels::@right_H20_phase clusters in (%c2, %c1, %c1)
        blocks in (%c2, %c1, %c1) threads in (%threads, %c1, %c1)
    gpu.launch_func @kernels::@right_H20_handed_on clusters in (%c2, %c1, %c1)
        blocks in (%c2, %c1, %c1) threads in (%threads, %c1, %c1)
    gpu.launch_func @kernels::@right_H20_arrives_behind clusters in (%c2, %c1, %c1)
        blocks in (%c2, %c1, %c1) threads in (%threads, %c1, %c1)
    gpu.launch_func @kernels::@right_H20_arm_in_front clusters in (%c2, %c1, %c1)
        blocks in (%c2, %c1, %c1) threads in (%threads, %c1, %c1)
    gpu.launch_func @kernels::@right_H20_arm_between clusters in (%c2, %c1, %c1)
        blocks in (%c2, %c1, %c1) threads in (%threads, %c1, %c1)
    vector.print str "no fault\n"
    return
  }
}

// EVERY: 3 seeds: 0 clean, 3 with a fault
