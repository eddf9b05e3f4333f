// Allocations and barriers of the kernel's own, in whatever words they are written.

// RUN: tmem-opt %s --tmem-plan-columns | FileCheck %s
// RUN: tmem-opt %s --tmem-plan-columns --tmem-check-hazards -o /dev/null
// RUN: tmem-run %s --race --seeds=3 | FileCheck %s --check-prefix=OUT

!acc = !tmem.view<128x64xf32, #tmem.datapath<D>>
!vec = vector<64xf32>
!out = memref<256x64xf32>
#row = #tmem.layout<(128, 64) : (1@tid, 1@reg)>

module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32

  // The permit is the kernel's to give up.
  // CHECK-LABEL: gpu.func @intrinsic
  // CHECK: tmem.alloc
  // CHECK-NOT: tmem.relinquish
  // CHECK: llvm.nvvm.tcgen05.alloc
  gpu.func @intrinsic(%out: !out) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %columns = arith.constant 32 : i32
    %x = arith.constant dense<1.0> : !vec
    %a = tmem.buffer : !acc
    %tid = gpu.thread_id x
    %is_first = arith.cmpi ult, %tid, %c32 : index
    %is_low = arith.cmpi ult, %tid, %c128 : index
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    scf.if %is_first {
      llvm.call_intrinsic "llvm.nvvm.tcgen05.alloc.shared.cg1"(%slot, %columns) : (!llvm.ptr<3>, i32) -> ()
      llvm.call_intrinsic "llvm.nvvm.tcgen05.relinq.alloc.permit.cg1"() : () -> ()
    }
    gpu.barrier
    %own = llvm.load %slot : !llvm.ptr<3> -> i32
    scf.if %is_low {
      tmem.write %x, %a registers(#row) scope(warpgroup) : !vec, !acc
      %v = tmem.read %a registers(#row) scope(warpgroup) : !acc -> !vec
      vector.store %v, %out[%tid, %c0] : !out, !vec
    }
    gpu.barrier
    scf.if %is_first {
      %pointer = llvm.inttoptr %own : i32 to !llvm.ptr<6>
      llvm.call_intrinsic "llvm.nvvm.tcgen05.dealloc.cg1"(%pointer, %columns) : (!llvm.ptr<6>, i32) -> ()
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @inline_ptx
  // CHECK: tmem.alloc %{{.*}}, 128 :
  // CHECK-NOT: tmem.relinquish
  // CHECK: tcgen05.alloc
  gpu.func @inline_ptx(%out: !out) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %x = arith.constant dense<1.0> : !vec
    %a = tmem.buffer : !acc
    %tid = gpu.thread_id x
    %is_first = arith.cmpi ult, %tid, %c32 : index
    %is_low = arith.cmpi ult, %tid, %c128 : index
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    scf.if %is_first {
      llvm.inline_asm has_side_effects "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [$0], 128;", "r,~{memory}" %slot : (!llvm.ptr<3>) -> ()
    }
    gpu.barrier
    %own = llvm.load %slot : !llvm.ptr<3> -> i32
    scf.if %is_low {
      tmem.write %x, %a registers(#row) scope(warpgroup) : !vec, !acc
      %v = tmem.read %a registers(#row) scope(warpgroup) : !acc -> !vec
      vector.store %v, %out[%tid, %c0] : !out, !vec
    }
    gpu.barrier
    scf.if %is_first {
      llvm.inline_asm has_side_effects "tcgen05.dealloc.cta_group::1.sync.aligned.b32 $0, 128;", "r,~{memory}" %own : (i32) -> ()
    }
    gpu.return
  }

  // Barriers 0 to 2 are those of some warps: number 3 is that of all.
  // CHECK-LABEL: gpu.func @shared_barrier_0
  // CHECK: tmem.alloc
  // CHECK: %[[START:.*]] = arith.constant 3 : i32
  // CHECK-NEXT: nvvm.barrier id = %[[START]]{{$}}
  // CHECK: %[[END:.*]] = arith.constant 3 : i32
  // CHECK-NEXT: nvvm.barrier id = %[[END]]{{$}}
  // CHECK-NEXT: tmem.fence after
  // CHECK: tmem.dealloc
  gpu.func @shared_barrier_0(%out: !out) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %half = arith.constant 128 : i32
    %x = arith.constant dense<1.0> : !vec
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %tid = gpu.thread_id x
    %is_low = arith.cmpi ult, %tid, %c128 : index
    scf.if %is_low {
      tmem.write %x, %a registers(#row) scope(warpgroup) : !vec, !acc
      %v = tmem.read %a registers(#row) scope(warpgroup) : !acc -> !vec
      nvvm.barrier id = %one number_of_threads = %half
      llvm.inline_asm has_side_effects "bar.sync 2, 128;", "~{memory}" : () -> ()
      vector.store %v, %out[%tid, %c0] : !out, !vec
    } else {
      tmem.write %x, %b registers(#row) scope(warpgroup) : !vec, !acc
      nvvm.barrier id = %zero number_of_threads = %half
      %v = tmem.read %b registers(#row) scope(warpgroup) : !acc -> !vec
      vector.store %v, %out[%tid, %c0] : !out, !vec
    }
    gpu.return
  }

  // Its own barriers of all threads are as many for each of them: number 0 will do.
  // CHECK-LABEL: gpu.func @barriers_in_arms
  // CHECK: tmem.fence before
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tmem.fence after
  // CHECK: tmem.dealloc
  gpu.func @barriers_in_arms(%n: index) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %x = arith.constant dense<1.0> : !vec
    %a = tmem.buffer : !acc
    %tid = gpu.thread_id x
    %is_low = arith.cmpi ult, %tid, %c128 : index
    scf.if %is_low {
      tmem.write %x, %a registers(#row) scope(warpgroup) : !vec, !acc
      scf.for %i = %c0 to %n step %c1 {
        gpu.barrier
      }
      nvvm.barrier0
    } else {
      scf.for %i = %c0 to %n step %c1 {
        nvvm.barrier0
      }
      gpu.barrier
    }
    gpu.return
  }

  // Other warps than the one that frees may exit.
  // CHECK-LABEL: gpu.func @exit_of_others
  // CHECK: nvvm.exit
  // CHECK: tmem.dealloc
  gpu.func @exit_of_others() kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c128 = arith.constant 128 : index
    %x = arith.constant dense<1.0> : !vec
    %a = tmem.buffer : !acc
    %tid = gpu.thread_id x
    %is_low = arith.cmpi ult, %tid, %c128 : index
    scf.if %is_low {
      tmem.write %x, %a registers(#row) scope(warpgroup) : !vec, !acc
    } else {
      nvvm.exit
    }
    gpu.barrier
    gpu.return
  }
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c255 = arith.constant 255 : index
  %n = arith.constant 3 : index
  %threads = arith.constant 256 : index
  %out = memref.alloc() : !out
  %unranked = memref.cast %out : !out to memref<*xf32>
  gpu.host_register %unranked : memref<*xf32>
  gpu.launch_func @kernels::@intrinsic blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1) args(%out : !out)
  gpu.launch_func @kernels::@inline_ptx blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1) args(%out : !out)
  gpu.launch_func @kernels::@shared_barrier_0 blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1) args(%out : !out)
  gpu.launch_func @kernels::@barriers_in_arms blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1) args(%n : index)
  gpu.launch_func @kernels::@exit_of_others blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1)
  %u = memref.load %out[%c0, %c0] : !out
  %v = memref.load %out[%c255, %c0] : !out
  // OUT: 1
  // OUT-NEXT: 1
  vector.print %u : f32
  vector.print %v : f32
  return
}
}
