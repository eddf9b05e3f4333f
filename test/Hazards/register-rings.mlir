// Rings where the use of loaded registers counts as a wait: fences that are missing are
// found.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(tmem-check-hazards{mode=register-dependence report=warning undecided=error})))' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(convert-scf-to-cf,tmem-check-hazards{mode=register-dependence report=warning undecided=error}))' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!object = memref<2xi64, #gpu.address_space<workgroup>>
!view = !tmem.view<128x8xi32, #tmem.datapath<D>>
!out = memref<256x8xi32>

gpu.module @kernels {
  gpu.func @right_ring_of_registers(%out: !out, %n: index) workgroup(%slot: !slot, %object: !object) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %one = arith.constant 1 : i32
    %n16 = arith.constant 16 : i32
    %n96 = arith.constant 96 : i32
    %n128 = arith.constant 128 : i32
    %ticks = arith.constant 1000 : i32
    %e8 = arith.constant 8 : i64
    %values = arith.constant dense<7> : vector<8xi32>
    %tid = gpu.thread_id x
    %t32 = arith.index_cast %tid : index to i32
    %first = arith.cmpi ult, %tid, %c32 : index
    %a = arith.cmpi ult, %tid, %c128 : index
    %thread0 = arith.cmpi eq, %tid, %c0 : index
    %where = memref.extract_aligned_pointer_as_index %object : !object -> index
    %b64 = arith.index_cast %where : index to i64
    %full = llvm.inttoptr %b64 : i64 to !llvm.ptr<3>
    %e64 = arith.addi %b64, %e8 : i64
    %empty = llvm.inttoptr %e64 : i64 to !llvm.ptr<3>
    scf.if %thread0 {
      nvvm.mbarrier.init %full, %n128 : !llvm.ptr<3>, i32
      nvvm.mbarrier.init %empty, %n128 : !llvm.ptr<3>, i32
    }
    scf.if %first {
      tmem.alloc %slot, 32 : !slot
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    %base = memref.load %slot[%c0] : !slot
    %mem = tmem.view %base : !view
    %rows = arith.andi %t32, %n96 : i32
    %slab = arith.shli %rows, %n16 : i32
    %address = arith.addi %base, %slab : i32
    %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
    scf.if %a {
      scf.for %i = %c0 to %n step %c1 iter_args(%parity = %one) -> i32 {
        nvvm.mbarrier.try_wait.parity %empty, %parity, %ticks : !llvm.ptr<3>, i32, i32
        tmem.fence after
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
        tmem.fence before
        %s = nvvm.mbarrier.arrive %full : !llvm.ptr<3> -> i64
        %next = arith.xori %parity, %one : i32
        scf.yield %next : i32
      }
    } else {
      %zero = arith.constant 0 : i32
      scf.for %i = %c0 to %n step %c1 iter_args(%parity = %zero) -> i32 {
        nvvm.mbarrier.try_wait.parity %full, %parity, %ticks : !llvm.ptr<3>, i32, i32
        tmem.fence after
        %v = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
        tmem.fence before
        %t = nvvm.mbarrier.arrive %empty : !llvm.ptr<3> -> i64
        %next = arith.xori %parity, %one : i32
        scf.yield %next : i32
      }
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    scf.if %first {
      tmem.dealloc %base, 32
    }
    gpu.return
  }

  gpu.func @right_registers_carried(%out: !out, %n: index) workgroup(%slot: !slot, %object: !object) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %one = arith.constant 1 : i32
    %n16 = arith.constant 16 : i32
    %n96 = arith.constant 96 : i32
    %n128 = arith.constant 128 : i32
    %ticks = arith.constant 1000 : i32
    %e8 = arith.constant 8 : i64
    %values = arith.constant dense<7> : vector<8xi32>
    %tid = gpu.thread_id x
    %t32 = arith.index_cast %tid : index to i32
    %first = arith.cmpi ult, %tid, %c32 : index
    %a = arith.cmpi ult, %tid, %c128 : index
    %thread0 = arith.cmpi eq, %tid, %c0 : index
    %where = memref.extract_aligned_pointer_as_index %object : !object -> index
    %b64 = arith.index_cast %where : index to i64
    %full = llvm.inttoptr %b64 : i64 to !llvm.ptr<3>
    %e64 = arith.addi %b64, %e8 : i64
    %empty = llvm.inttoptr %e64 : i64 to !llvm.ptr<3>
    scf.if %thread0 {
      nvvm.mbarrier.init %full, %n128 : !llvm.ptr<3>, i32
      nvvm.mbarrier.init %empty, %n128 : !llvm.ptr<3>, i32
    }
    scf.if %first {
      tmem.alloc %slot, 32 : !slot
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    %base = memref.load %slot[%c0] : !slot
    %mem = tmem.view %base : !view
    %rows = arith.andi %t32, %n96 : i32
    %slab = arith.shli %rows, %n16 : i32
    %address = arith.addi %base, %slab : i32
    %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
    scf.if %a {
      scf.for %i = %c0 to %n step %c1 iter_args(%parity = %one) -> i32 {
        nvvm.mbarrier.try_wait.parity %empty, %parity, %ticks : !llvm.ptr<3>, i32, i32
        tmem.fence after
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
        tmem.fence before
        %s = nvvm.mbarrier.arrive %full : !llvm.ptr<3> -> i64
        %next = arith.xori %parity, %one : i32
        scf.yield %next : i32
      }
    } else {
      %zero = arith.constant 0 : i32
      scf.for %i = %c0 to %n step %c1 iter_args(%parity = %zero) -> i32 {
        nvvm.mbarrier.try_wait.parity %full, %parity, %ticks : !llvm.ptr<3>, i32, i32
        tmem.fence after
        %v = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
        %low = arith.constant true
        %w = scf.if %low -> vector<8xi32> {
          scf.yield %v : vector<8xi32>
        } else {
          scf.yield %values : vector<8xi32>
        }
        vector.store %w, %out[%tid, %c0] : !out, vector<8xi32>
        tmem.fence before
        %t = nvvm.mbarrier.arrive %empty : !llvm.ptr<3> -> i64
        %next = arith.xori %parity, %one : i32
        scf.yield %next : i32
      }
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    scf.if %first {
      tmem.dealloc %base, 32
    }
    gpu.return
  }

  gpu.func @H10_registers_without_after(%out: !out, %n: index) workgroup(%slot: !slot, %object: !object) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %one = arith.constant 1 : i32
    %n16 = arith.constant 16 : i32
    %n96 = arith.constant 96 : i32
    %n128 = arith.constant 128 : i32
    %ticks = arith.constant 1000 : i32
    %e8 = arith.constant 8 : i64
    %values = arith.constant dense<7> : vector<8xi32>
    %tid = gpu.thread_id x
    %t32 = arith.index_cast %tid : index to i32
    %first = arith.cmpi ult, %tid, %c32 : index
    %a = arith.cmpi ult, %tid, %c128 : index
    %thread0 = arith.cmpi eq, %tid, %c0 : index
    %where = memref.extract_aligned_pointer_as_index %object : !object -> index
    %b64 = arith.index_cast %where : index to i64
    %full = llvm.inttoptr %b64 : i64 to !llvm.ptr<3>
    %e64 = arith.addi %b64, %e8 : i64
    %empty = llvm.inttoptr %e64 : i64 to !llvm.ptr<3>
    scf.if %thread0 {
      nvvm.mbarrier.init %full, %n128 : !llvm.ptr<3>, i32
      nvvm.mbarrier.init %empty, %n128 : !llvm.ptr<3>, i32
    }
    scf.if %first {
      tmem.alloc %slot, 32 : !slot
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    %base = memref.load %slot[%c0] : !slot
    %mem = tmem.view %base : !view
    %rows = arith.andi %t32, %n96 : i32
    %slab = arith.shli %rows, %n16 : i32
    %address = arith.addi %base, %slab : i32
    %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
    scf.if %a {
      scf.for %i = %c0 to %n step %c1 iter_args(%parity = %one) -> i32 {
        nvvm.mbarrier.try_wait.parity %empty, %parity, %ticks : !llvm.ptr<3>, i32, i32
        // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}expected a tcgen05.fence after the barrier behind the load of another warp
        // CHECK: note: rule H10:
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
        tmem.fence before
        %s = nvvm.mbarrier.arrive %full : !llvm.ptr<3> -> i64
        %next = arith.xori %parity, %one : i32
        scf.yield %next : i32
      }
    } else {
      %zero = arith.constant 0 : i32
      scf.for %i = %c0 to %n step %c1 iter_args(%parity = %zero) -> i32 {
        nvvm.mbarrier.try_wait.parity %full, %parity, %ticks : !llvm.ptr<3>, i32, i32
        tmem.fence after
        %v = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
        tmem.fence before
        %t = nvvm.mbarrier.arrive %empty : !llvm.ptr<3> -> i64
        %next = arith.xori %parity, %one : i32
        scf.yield %next : i32
      }
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    scf.if %first {
      tmem.dealloc %base, 32
    }
    gpu.return
  }

  gpu.func @H10_registers_without_before(%out: !out, %n: index) workgroup(%slot: !slot, %object: !object) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %one = arith.constant 1 : i32
    %n16 = arith.constant 16 : i32
    %n96 = arith.constant 96 : i32
    %n128 = arith.constant 128 : i32
    %ticks = arith.constant 1000 : i32
    %e8 = arith.constant 8 : i64
    %values = arith.constant dense<7> : vector<8xi32>
    %tid = gpu.thread_id x
    %t32 = arith.index_cast %tid : index to i32
    %first = arith.cmpi ult, %tid, %c32 : index
    %a = arith.cmpi ult, %tid, %c128 : index
    %thread0 = arith.cmpi eq, %tid, %c0 : index
    %where = memref.extract_aligned_pointer_as_index %object : !object -> index
    %b64 = arith.index_cast %where : index to i64
    %full = llvm.inttoptr %b64 : i64 to !llvm.ptr<3>
    %e64 = arith.addi %b64, %e8 : i64
    %empty = llvm.inttoptr %e64 : i64 to !llvm.ptr<3>
    scf.if %thread0 {
      nvvm.mbarrier.init %full, %n128 : !llvm.ptr<3>, i32
      nvvm.mbarrier.init %empty, %n128 : !llvm.ptr<3>, i32
    }
    scf.if %first {
      tmem.alloc %slot, 32 : !slot
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    %base = memref.load %slot[%c0] : !slot
    %mem = tmem.view %base : !view
    %rows = arith.andi %t32, %n96 : i32
    %slab = arith.shli %rows, %n16 : i32
    %address = arith.addi %base, %slab : i32
    %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
    scf.if %a {
      scf.for %i = %c0 to %n step %c1 iter_args(%parity = %one) -> i32 {
        nvvm.mbarrier.try_wait.parity %empty, %parity, %ticks : !llvm.ptr<3>, i32, i32
        tmem.fence after
        // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}expected a tcgen05.fence before the barrier behind the load of another warp
        // CHECK: note: rule H10:
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
        tmem.fence before
        %s = nvvm.mbarrier.arrive %full : !llvm.ptr<3> -> i64
        %next = arith.xori %parity, %one : i32
        scf.yield %next : i32
      }
    } else {
      %zero = arith.constant 0 : i32
      scf.for %i = %c0 to %n step %c1 iter_args(%parity = %zero) -> i32 {
        nvvm.mbarrier.try_wait.parity %full, %parity, %ticks : !llvm.ptr<3>, i32, i32
        tmem.fence after
        %v = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
        %t = nvvm.mbarrier.arrive %empty : !llvm.ptr<3> -> i64
        %next = arith.xori %parity, %one : i32
        scf.yield %next : i32
      }
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    scf.if %first {
      tmem.dealloc %base, 32
    }
    gpu.return
  }
}
