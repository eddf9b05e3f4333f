// What inline PTX, gpu.warp_execute_on_lane_0 and a broadcast choose, which the emulator
// does not run.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(tmem-check-hazards{mode=strict report=warning undecided=warn})))' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:

!slot = memref<4xi32, #gpu.address_space<workgroup>>
!view = !tmem.view<128x8xi32, #tmem.datapath<D>>
!out = memref<256x8xi32>

gpu.module @kernels {
  gpu.func @H13_lane_id_of_assembly(%out: !out, %n: index) workgroup(%slot: !slot) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %values = arith.constant dense<7> : vector<8xi32>
    %tid = gpu.thread_id x
    %a = arith.cmpi ult, %tid, %c128 : index
    %b = arith.cmpi uge, %tid, %c128 : index
    %first = arith.cmpi ult, %tid, %c32 : index
    scf.if %first {
      tmem.alloc %slot, 32 : !slot
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    %base = memref.load %slot[%c0] : !slot
    %mem = tmem.view %base : !view
    scf.if %a {
      tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    %i0 = arith.constant 0 : i32
    %lane = llvm.inline_asm "mov.u32 $0, %laneid;", "=r" : () -> i32
    %q = arith.cmpi eq, %lane, %i0 : i32
    scf.if %q {
      // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}expected all lanes of a warp to execute it, but some lanes of warp 0 do not
      // CHECK: note: rule H13:
      %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
      vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    scf.if %first {
      tmem.dealloc %base, 32
    }
    gpu.return
  }

  gpu.func @H13_on_lane_0(%out: !out, %n: index) workgroup(%slot: !slot) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %values = arith.constant dense<7> : vector<8xi32>
    %tid = gpu.thread_id x
    %a = arith.cmpi ult, %tid, %c128 : index
    %b = arith.cmpi uge, %tid, %c128 : index
    %first = arith.cmpi ult, %tid, %c32 : index
    scf.if %first {
      tmem.alloc %slot, 32 : !slot
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    %base = memref.load %slot[%c0] : !slot
    %mem = tmem.view %base : !view
    scf.if %a {
      tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    %lane = arith.remui %tid, %c32 : index
    gpu.warp_execute_on_lane_0(%lane)[32] {
      // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}expected all lanes of a warp to execute it, but some lanes of warp 0 do not
      // CHECK: note: rule H13:
      %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
      vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    scf.if %first {
      tmem.dealloc %base, 32
    }
    gpu.return
  }

  gpu.func @elected_by_assembly(%out: !out, %n: index) workgroup(%slot: !slot) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %values = arith.constant dense<7> : vector<8xi32>
    %tid = gpu.thread_id x
    %a = arith.cmpi ult, %tid, %c128 : index
    %b = arith.cmpi uge, %tid, %c128 : index
    %first = arith.cmpi ult, %tid, %c32 : index
    scf.if %first {
      tmem.alloc %slot, 32 : !slot
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    %base = memref.load %slot[%c0] : !slot
    %mem = tmem.view %base : !view
    scf.if %a {
      tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    %i0 = arith.constant 0 : i32
    %is = llvm.inline_asm "{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.b32 $0, 1, 0, p; }", "=r" : () -> i32
    %q = arith.cmpi ne, %is, %i0 : i32
    scf.if %q {
      // CHECK: :[[@LINE+1]]:{{[0-9]+}}: warning: {{.*}}undecided: which lanes execute it
      %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
      vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    scf.if %first {
      tmem.dealloc %base, 32
    }
    gpu.return
  }

  gpu.func @broadcast(%out: !out, %n: index) workgroup(%slot: !slot) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %values = arith.constant dense<7> : vector<8xi32>
    %tid = gpu.thread_id x
    %a = arith.cmpi ult, %tid, %c128 : index
    %b = arith.cmpi uge, %tid, %c128 : index
    %first = arith.cmpi ult, %tid, %c32 : index
    scf.if %first {
      tmem.alloc %slot, 32 : !slot
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    %base = memref.load %slot[%c0] : !slot
    %mem = tmem.view %base : !view
    scf.if %a {
      tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    %i4 = arith.constant 4 : i32
    %t32 = arith.index_cast %tid : index to i32
    %is = gpu.subgroup_broadcast %t32, first_active_lane : i32
    %q = arith.cmpi eq, %is, %i4 : i32
    scf.if %q {
      // CHECK: :[[@LINE+1]]:{{[0-9]+}}: warning: {{.*}}undecided: which warps execute it
      %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
      vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    scf.if %first {
      tmem.dealloc %base, 32
    }
    gpu.return
  }

  gpu.func @assembly_of_uniform_operands(%out: !out, %n: index) workgroup(%slot: !slot) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %values = arith.constant dense<7> : vector<8xi32>
    %tid = gpu.thread_id x
    %a = arith.cmpi ult, %tid, %c128 : index
    %b = arith.cmpi uge, %tid, %c128 : index
    %first = arith.cmpi ult, %tid, %c32 : index
    scf.if %first {
      tmem.alloc %slot, 32 : !slot
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    %base = memref.load %slot[%c0] : !slot
    %mem = tmem.view %base : !view
    scf.if %a {
      tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    %i1 = arith.constant 1 : i32
    %sum = llvm.inline_asm "add.u32 $0, $1, %laneid;", "=r,r" %i1 : (i32) -> i32
    %q = arith.cmpi eq, %sum, %i1 : i32
    scf.if %q {
      // CHECK: :[[@LINE+1]]:{{[0-9]+}}: warning: {{.*}}undecided: which lanes execute it
      %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
      vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
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
