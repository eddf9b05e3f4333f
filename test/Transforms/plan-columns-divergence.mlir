// What is the same for all threads, so that each arm of a branch has all of them or none:
// then the barriers in both arms are common, and buffers of different arms share columns.
// Where threads may part, 128 columns.

// RUN: tmem-opt %s --tmem-plan-columns | FileCheck %s

!acc = !tmem.view<128x64xf32, #tmem.datapath<D>>
!vec = vector<64xf32>
gpu.module @kernels {
  llvm.mlir.global internal @own(7 : i32) {addr_space = 5 : i32} : i32
  llvm.mlir.global internal @common(7 : i32) {addr_space = 3 : i32} : i32
  memref.global "private" @row : memref<1xi32, #gpu.address_space<workgroup>>
  memref.global "private" @own_row : memref<1xi32, #gpu.address_space<private>>

  // Nothing but its operand.
  // CHECK-LABEL: gpu.func @assembly(
  // CHECK: tmem.alloc %{{.*}}, 64 :
  gpu.func @assembly(%x: !vec, %n: i32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %v = llvm.inline_asm "add.u32 $0, $1, 5;", "=r,r" %n : (i32) -> i32
    %q = arith.cmpi eq, %v, %n : i32
    scf.if %q {
      gpu.barrier
      tmem.write %x, %a scope(warpgroup) : !vec, !acc
      gpu.barrier
    } else {
      gpu.barrier
      tmem.write %x, %b scope(warpgroup) : !vec, !acc
      gpu.barrier
    }
    gpu.return
  }

  // Of an operand that is the same, but also of the thread's own.
  // CHECK-LABEL: gpu.func @assembly_reads_tid(
  // CHECK: tmem.alloc %{{.*}}, 128 :
  gpu.func @assembly_reads_tid(%x: !vec, %n: i32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %v = llvm.inline_asm "add.u32 $0, $1, %tid.x;", "=r,r" %n : (i32) -> i32
    %q = arith.cmpi eq, %v, %n : i32
    scf.if %q {
      gpu.barrier
      tmem.write %x, %a scope(warpgroup) : !vec, !acc
      gpu.barrier
    } else {
      gpu.barrier
      tmem.write %x, %b scope(warpgroup) : !vec, !acc
      gpu.barrier
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @assembly_elects(
  // CHECK: tmem.alloc %{{.*}}, 128 :
  gpu.func @assembly_elects(%x: !vec, %n: i32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %v = llvm.inline_asm "elect.sync $0|p, $1;", "=r,r" %n : (i32) -> i32
    %q = arith.cmpi eq, %v, %n : i32
    scf.if %q {
      gpu.barrier
      tmem.write %x, %a scope(warpgroup) : !vec, !acc
      gpu.barrier
    } else {
      gpu.barrier
      tmem.write %x, %b scope(warpgroup) : !vec, !acc
      gpu.barrier
    }
    gpu.return
  }

  // The phase may end between the tests of two threads.
  // CHECK-LABEL: gpu.func @assembly_tests_barrier(
  // CHECK: tmem.alloc %{{.*}}, 128 :
  gpu.func @assembly_tests_barrier(%x: !vec, %n: i32, %bar: !llvm.ptr<3>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %v = llvm.inline_asm "{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [$1], $2; selp.b32 $0, 1, 0, p; }", "=r,r,r" %bar, %n : (!llvm.ptr<3>, i32) -> i32
    %q = arith.cmpi eq, %v, %n : i32
    scf.if %q {
      gpu.barrier
      tmem.write %x, %a scope(warpgroup) : !vec, !acc
      gpu.barrier
    } else {
      gpu.barrier
      tmem.write %x, %b scope(warpgroup) : !vec, !acc
      gpu.barrier
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @assembly_loads_local(
  // CHECK: tmem.alloc %{{.*}}, 128 :
  gpu.func @assembly_loads_local(%x: !vec, %n: i32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %v = llvm.inline_asm "ld.local.b32 $0, [$1];", "=r,r" %n : (i32) -> i32
    %q = arith.cmpi eq, %v, %n : i32
    scf.if %q {
      gpu.barrier
      tmem.write %x, %a scope(warpgroup) : !vec, !acc
      gpu.barrier
    } else {
      gpu.barrier
      tmem.write %x, %b scope(warpgroup) : !vec, !acc
      gpu.barrier
    }
    gpu.return
  }

  // Its effects are unknown.
  // CHECK-LABEL: gpu.func @inline_ptx(
  // CHECK: tmem.alloc %{{.*}}, 128 :
  gpu.func @inline_ptx(%x: !vec, %n: i32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %v = nvvm.inline_ptx "add.u32 {$w0}, {$r0}, %laneid;" ro(%n : i32) -> i32
    %q = arith.cmpi eq, %v, %n : i32
    scf.if %q {
      gpu.barrier
      tmem.write %x, %a scope(warpgroup) : !vec, !acc
      gpu.barrier
    } else {
      gpu.barrier
      tmem.write %x, %b scope(warpgroup) : !vec, !acc
      gpu.barrier
    }
    gpu.return
  }

  // What a shuffle fetches is the same where each lane has the same to fetch.
  // CHECK-LABEL: gpu.func @shuffled(
  // CHECK: tmem.alloc %{{.*}}, 64 :
  gpu.func @shuffled(%x: !vec, %n: i32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %width = arith.constant 32 : i32
    %offset = arith.constant 16 : i32
    %v, %valid = gpu.shuffle down %n, %offset, %width : i32
    %q = arith.cmpi eq, %v, %n : i32
    scf.if %q {
      gpu.barrier
      tmem.write %x, %a scope(warpgroup) : !vec, !acc
      gpu.barrier
    } else {
      gpu.barrier
      tmem.write %x, %b scope(warpgroup) : !vec, !acc
      gpu.barrier
    }
    gpu.return
  }

  // Only the lower half of a warp has a lane to fetch it from.
  // CHECK-LABEL: gpu.func @shuffle_valid(
  // CHECK: tmem.alloc %{{.*}}, 128 :
  gpu.func @shuffle_valid(%x: !vec, %n: i32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %width = arith.constant 32 : i32
    %offset = arith.constant 16 : i32
    %v, %q = gpu.shuffle down %n, %offset, %width : i32
    scf.if %q {
      gpu.barrier
      tmem.write %x, %a scope(warpgroup) : !vec, !acc
      gpu.barrier
    } else {
      gpu.barrier
      tmem.write %x, %b scope(warpgroup) : !vec, !acc
      gpu.barrier
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @shuffled_id(
  // CHECK: tmem.alloc %{{.*}}, 128 :
  gpu.func @shuffled_id(%x: !vec, %n: i32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %width = arith.constant 32 : i32
    %zero = arith.constant 0 : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %v, %valid = gpu.shuffle idx %tid, %zero, %width : i32
    %q = arith.cmpi eq, %v, %n : i32
    scf.if %q {
      gpu.barrier
      tmem.write %x, %a scope(warpgroup) : !vec, !acc
      gpu.barrier
    } else {
      gpu.barrier
      tmem.write %x, %b scope(warpgroup) : !vec, !acc
      gpu.barrier
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @shared_global(
  // CHECK: tmem.alloc %{{.*}}, 64 :
  gpu.func @shared_global(%x: !vec, %n: i32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %address = llvm.mlir.addressof @common : !llvm.ptr<3>
    %v = llvm.load %address : !llvm.ptr<3> -> i32
    %q = arith.cmpi eq, %v, %n : i32
    scf.if %q {
      gpu.barrier
      tmem.write %x, %a scope(warpgroup) : !vec, !acc
      gpu.barrier
    } else {
      gpu.barrier
      tmem.write %x, %b scope(warpgroup) : !vec, !acc
      gpu.barrier
    }
    gpu.return
  }

  // One address, behind which each thread has its own.
  // CHECK-LABEL: gpu.func @local_global(
  // CHECK: tmem.alloc %{{.*}}, 128 :
  gpu.func @local_global(%x: !vec, %n: i32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %address = llvm.mlir.addressof @own : !llvm.ptr<5>
    %v = llvm.load %address : !llvm.ptr<5> -> i32
    %q = arith.cmpi eq, %v, %n : i32
    scf.if %q {
      gpu.barrier
      tmem.write %x, %a scope(warpgroup) : !vec, !acc
      gpu.barrier
    } else {
      gpu.barrier
      tmem.write %x, %b scope(warpgroup) : !vec, !acc
      gpu.barrier
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @local_global_cast(
  // CHECK: tmem.alloc %{{.*}}, 128 :
  gpu.func @local_global_cast(%x: !vec, %n: i32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %address = llvm.mlir.addressof @own : !llvm.ptr<5>
    %generic = llvm.addrspacecast %address : !llvm.ptr<5> to !llvm.ptr
    %v = llvm.load %generic : !llvm.ptr -> i32
    %q = arith.cmpi eq, %v, %n : i32
    scf.if %q {
      gpu.barrier
      tmem.write %x, %a scope(warpgroup) : !vec, !acc
      gpu.barrier
    } else {
      gpu.barrier
      tmem.write %x, %b scope(warpgroup) : !vec, !acc
      gpu.barrier
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @local_address(
  // CHECK: tmem.alloc %{{.*}}, 128 :
  gpu.func @local_address(%x: !vec, %n: i32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %address = llvm.inttoptr %n : i32 to !llvm.ptr<5>
    %v = llvm.load %address : !llvm.ptr<5> -> i32
    %q = arith.cmpi eq, %v, %n : i32
    scf.if %q {
      gpu.barrier
      tmem.write %x, %a scope(warpgroup) : !vec, !acc
      gpu.barrier
    } else {
      gpu.barrier
      tmem.write %x, %b scope(warpgroup) : !vec, !acc
      gpu.barrier
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @shared_memref(
  // CHECK: tmem.alloc %{{.*}}, 64 :
  gpu.func @shared_memref(%x: !vec, %n: i32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %zero = arith.constant 0 : index
    %address = memref.get_global @row : memref<1xi32, #gpu.address_space<workgroup>>
    %v = memref.load %address[%zero] : memref<1xi32, #gpu.address_space<workgroup>>
    %q = arith.cmpi eq, %v, %n : i32
    scf.if %q {
      gpu.barrier
      tmem.write %x, %a scope(warpgroup) : !vec, !acc
      gpu.barrier
    } else {
      gpu.barrier
      tmem.write %x, %b scope(warpgroup) : !vec, !acc
      gpu.barrier
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @private_memref(
  // CHECK: tmem.alloc %{{.*}}, 128 :
  gpu.func @private_memref(%x: !vec, %n: i32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %zero = arith.constant 0 : index
    %address = memref.get_global @own_row : memref<1xi32, #gpu.address_space<private>>
    %v = memref.load %address[%zero] : memref<1xi32, #gpu.address_space<private>>
    %q = arith.cmpi eq, %v, %n : i32
    scf.if %q {
      gpu.barrier
      tmem.write %x, %a scope(warpgroup) : !vec, !acc
      gpu.barrier
    } else {
      gpu.barrier
      tmem.write %x, %b scope(warpgroup) : !vec, !acc
      gpu.barrier
    }
    gpu.return
  }
}
