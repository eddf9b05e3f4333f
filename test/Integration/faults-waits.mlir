// Registers that are read before tcgen05.wait::ld, and cells that are loaded before
// tcgen05.wait::st, in kernels that do not use the types of the tmem dialect.

// RUN: tmem-run %s --entry=right | FileCheck %s --check-prefix=RIGHT
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=straight --seeds=20 2>&1 | FileCheck %s --check-prefix=STRAIGHT
// RUN: %exits_1 tmem-run %s --entry=second_load 2>&1 | FileCheck %s --check-prefix=SECOND
// RUN: %exits_1 tmem-run %s --entry=loop 2>&1 | FileCheck %s --check-prefix=LOOP
// RUN: %exits_1 tmem-run %s --entry=branch 2>&1 | FileCheck %s --check-prefix=BRANCH
// RUN: %exits_1 tmem-run %s --entry=one_element 2>&1 | FileCheck %s --check-prefix=ELEMENT
// RUN: %exits_1 tmem-run %s --entry=condition 2>&1 | FileCheck %s --check-prefix=CONDITION
// RUN: %exits_1 tmem-run %s --entry=call 2>&1 | FileCheck %s --check-prefix=CALL
// RUN: %exits_1 tmem-run %s --entry=store_then_load 2>&1 | FileCheck %s --check-prefix=STORE-LOAD
// RUN: %exits_1 tmem-run %s --entry=stored_registers 2>&1 | FileCheck %s --check-prefix=STORED

#s32x32b = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!out = memref<32x8xi32>

module attributes {gpu.container_module} {
  // Every CTA is one warp.
  gpu.module @kernels {
    memref.global "private" @slot : !slot

    // 32 columns, of which the first 16 were stored.
    func.func @begin() -> !llvm.ptr<6> {
      %c0 = arith.constant 0 : index
      %values = arith.constant dense<7> : vector<16xi32>
      %slot = memref.get_global @slot : !slot
      tmem.alloc %slot, 32 : !slot
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
      nvvm.tcgen05.st %p, %values {shape = #s32x32b} : vector<16xi32>
      nvvm.tcgen05.wait <store>
      return %p : !llvm.ptr<6>
    }

    func.func @end(%p: !llvm.ptr<6>) {
      %base = llvm.ptrtoint %p : !llvm.ptr<6> to i32
      nvvm.tcgen05.wait <load>
      gpu.barrier
      tmem.dealloc %base, 32
      return
    }

    gpu.func @straight(%out: !out) kernel {
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %one = arith.constant dense<1> : vector<8xi32>
      %p = func.call @begin() : () -> !llvm.ptr<6>
      // STRAIGHT: seed 0:
      // STRAIGHT: faults-waits.mlir:[[@LINE+4]]:{{[0-9]+}}: {{.*}}: error: {{.*}}register{{.*}}wait::ld
      // STRAIGHT: faults-waits.mlir:[[@LINE+2]]:{{[0-9]+}}: nvvm.tcgen05.ld: note:
      // STRAIGHT: 20 seeds: 0 clean, 20 with a fault
      %v = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<8xi32>
      %w = arith.addi %v, %one : vector<8xi32>
      nvvm.tcgen05.wait <load>
      vector.store %w, %out[%tid, %c0] : !out, vector<8xi32>
      func.call @end(%p) : (!llvm.ptr<6>) -> ()
      gpu.return
    }

    gpu.func @straight_right(%out: !out) kernel {
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %one = arith.constant dense<1> : vector<8xi32>
      %p = func.call @begin() : () -> !llvm.ptr<6>
      %v = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<8xi32>
      nvvm.tcgen05.wait <load>
      %w = arith.addi %v, %one : vector<8xi32>
      vector.store %w, %out[%tid, %c0] : !out, vector<8xi32>
      func.call @end(%p) : (!llvm.ptr<6>) -> ()
      gpu.return
    }

    // The wait is that of the first load. A load that nobody reads may stay.
    gpu.func @two(%out: !out, %second: i1) kernel {
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %p = func.call @begin() : () -> !llvm.ptr<6>
      %v = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<8xi32>
      nvvm.tcgen05.wait <load>
      %w = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<8xi32>
      vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      scf.if %second {
        // SECOND: faults-waits.mlir:[[@LINE+2]]:{{[0-9]+}}: {{.*}}: error: {{.*}}register
        // SECOND: faults-waits.mlir:[[@LINE-4]]:{{[0-9]+}}: nvvm.tcgen05.ld: note:
        vector.store %w, %out[%tid, %c0] : !out, vector<8xi32>
      }
      func.call @end(%p) : (!llvm.ptr<6>) -> ()
      gpu.return
    }

    // The loaded vector of one iteration is read by the next: without the wait
    // between them in every iteration but the %wrong one.
    gpu.func @loop(%out: !out, %wrong: index) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %tid = gpu.thread_id x
      %p = func.call @begin() : () -> !llvm.ptr<6>
      %first = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<8xi32>
      %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%v = %first)
          -> vector<8xi32> {
        %waits = arith.cmpi ne, %i, %wrong : index
        scf.if %waits {
          nvvm.tcgen05.wait <load>
        }
        // LOOP: faults-waits.mlir:[[@LINE+2]]:{{[0-9]+}}: {{.*}}: error: {{.*}}register
        // LOOP: faults-waits.mlir:[[@LINE+2]]:{{[0-9]+}}: nvvm.tcgen05.ld: note:
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
        %next = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<8xi32>
        scf.yield %next : vector<8xi32>
      }
      nvvm.tcgen05.wait <load>
      vector.store %last, %out[%tid, %c0] : !out, vector<8xi32>
      func.call @end(%p) : (!llvm.ptr<6>) -> ()
      gpu.return
    }

    // Only one arm waits.
    gpu.func @branch(%out: !out, %waits: i1) kernel {
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %other = arith.constant dense<3> : vector<8xi32>
      %p = func.call @begin() : () -> !llvm.ptr<6>
      %v = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<8xi32>
      %w = scf.if %waits -> vector<8xi32> {
        nvvm.tcgen05.wait <load>
        scf.yield %other : vector<8xi32>
      } else {
        scf.yield %v : vector<8xi32>
      }
      // BRANCH: faults-waits.mlir:[[@LINE+1]]:{{[0-9]+}}: {{.*}}: error: {{.*}}register
      vector.store %w, %out[%tid, %c0] : !out, vector<8xi32>
      func.call @end(%p) : (!llvm.ptr<6>) -> ()
      gpu.return
    }

    // Of eight elements the last is pending.
    gpu.func @one_element(%out: !out, %which: i32) kernel {
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %p = func.call @begin() : () -> !llvm.ptr<6>
      %v = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<8xi32>
      nvvm.tcgen05.wait <load>
      %w = nvvm.tcgen05.ld %p {shape = #s32x32b} : i32
      %c7 = arith.constant 7 : i32
      %both = llvm.insertelement %w, %v[%c7 : i32] : vector<8xi32>
      %one = llvm.extractelement %both[%which : i32] : vector<8xi32>
      // ELEMENT: faults-waits.mlir:[[@LINE+1]]:{{[0-9]+}}: {{.*}}: error: {{.*}}register
      memref.store %one, %out[%tid, %c0] : !out
      func.call @end(%p) : (!llvm.ptr<6>) -> ()
      gpu.return
    }

    gpu.func @condition(%out: !out, %waits: i1) kernel {
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %seven = arith.constant 7 : i32
      %p = func.call @begin() : () -> !llvm.ptr<6>
      %v = nvvm.tcgen05.ld %p {shape = #s32x32b} : i32
      scf.if %waits {
        nvvm.tcgen05.wait <load>
      }
      // CONDITION: faults-waits.mlir:[[@LINE+1]]:{{[0-9]+}}: {{.*}}: error: {{.*}}register
      %is_seven = arith.cmpi eq, %v, %seven : i32
      scf.if %is_seven {
        memref.store %seven, %out[%tid, %c0] : !out
      }
      func.call @end(%p) : (!llvm.ptr<6>) -> ()
      gpu.return
    }

    func.func @twice(%v: vector<8xi32>) -> vector<8xi32> {
      %w = arith.addi %v, %v : vector<8xi32>
      return %w : vector<8xi32>
    }

    gpu.func @call(%out: !out, %waits: i1) kernel {
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %p = func.call @begin() : () -> !llvm.ptr<6>
      %v = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<8xi32>
      scf.if %waits {
        nvvm.tcgen05.wait <load>
      }
      // CALL: faults-waits.mlir:[[@LINE+1]]:{{[0-9]+}}: {{.*}}: error: {{.*}}register
      %w = func.call @twice(%v) : (vector<8xi32>) -> vector<8xi32>
      vector.store %w, %out[%tid, %c0] : !out, vector<8xi32>
      func.call @end(%p) : (!llvm.ptr<6>) -> ()
      gpu.return
    }

    gpu.func @store_then_load(%out: !out, %waits: i1) kernel {
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %values = arith.constant dense<9> : vector<8xi32>
      %p = func.call @begin() : () -> !llvm.ptr<6>
      nvvm.tcgen05.st %p, %values {shape = #s32x32b} : vector<8xi32>
      scf.if %waits {
        nvvm.tcgen05.wait <store>
      }
      // STORE-LOAD: faults-waits.mlir:[[@LINE+2]]:{{[0-9]+}}: nvvm.tcgen05.ld: error: {{.*}}wait::st
      // STORE-LOAD: faults-waits.mlir:[[@LINE-5]]:{{[0-9]+}}: nvvm.tcgen05.st: note:
      %v = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<4xi32>
      nvvm.tcgen05.wait <load>
      nvvm.tcgen05.wait <store>
      vector.store %v, %out[%tid, %c0] : !out, vector<4xi32>
      func.call @end(%p) : (!llvm.ptr<6>) -> ()
      gpu.return
    }

    // A store reads its registers.
    gpu.func @stored_registers(%waits: i1) kernel {
      %p = func.call @begin() : () -> !llvm.ptr<6>
      %base = llvm.ptrtoint %p : !llvm.ptr<6> to i32
      %c16 = arith.constant 16 : i32
      %address = arith.addi %base, %c16 : i32
      %q = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      %v = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<8xi32>
      scf.if %waits {
        nvvm.tcgen05.wait <load>
      }
      // STORED: faults-waits.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.tcgen05.st: error: {{.*}}register
      nvvm.tcgen05.st %q, %v {shape = #s32x32b} : vector<8xi32>
      nvvm.tcgen05.wait <store>
      func.call @end(%p) : (!llvm.ptr<6>) -> ()
      gpu.return
    }
  }

  func.func @straight() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@straight blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out)
    return
  }
  func.func @straight_right() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@straight_right blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out)
    return
  }
  func.func @two_of(%second: i1) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@two blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %second : i1)
    return
  }
  func.func @loop_of(%wrong: index) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@loop blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %wrong : index)
    return
  }
  func.func @branch_of(%waits: i1) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@branch blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %waits : i1)
    return
  }
  func.func @one_element_of(%which: i32) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@one_element blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %which : i32)
    return
  }
  func.func @condition_of(%waits: i1) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@condition blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %waits : i1)
    return
  }
  func.func @call_of(%waits: i1) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@call blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %waits : i1)
    return
  }
  func.func @store_then_load_of(%waits: i1) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@store_then_load blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %waits : i1)
    return
  }
  func.func @stored_registers_of(%waits: i1) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    gpu.launch_func @kernels::@stored_registers blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%waits : i1)
    return
  }
  func.func @second_load() {
    %true = arith.constant true
    call @two_of(%true) : (i1) -> ()
    return
  }
  func.func @loop() {
    %i2 = arith.constant 2 : index
    call @loop_of(%i2) : (index) -> ()
    return
  }
  func.func @branch() {
    %false = arith.constant false
    call @branch_of(%false) : (i1) -> ()
    return
  }
  func.func @one_element() {
    %c7 = arith.constant 7 : i32
    call @one_element_of(%c7) : (i32) -> ()
    return
  }
  func.func @condition() {
    %false = arith.constant false
    call @condition_of(%false) : (i1) -> ()
    return
  }
  func.func @call() {
    %false = arith.constant false
    call @call_of(%false) : (i1) -> ()
    return
  }
  func.func @store_then_load() {
    %false = arith.constant false
    call @store_then_load_of(%false) : (i1) -> ()
    return
  }
  func.func @stored_registers() {
    %false = arith.constant false
    call @stored_registers_of(%false) : (i1) -> ()
    return
  }

  // RIGHT: no fault
  func.func @right() {
    %false = arith.constant false
    %i4 = arith.constant 4 : index
    %true = arith.constant true
    %c6 = arith.constant 6 : i32
    call @straight_right() : () -> ()
    call @two_of(%false) : (i1) -> ()
    call @loop_of(%i4) : (index) -> ()
    call @branch_of(%true) : (i1) -> ()
    call @one_element_of(%c6) : (i32) -> ()
    call @condition_of(%true) : (i1) -> ()
    call @call_of(%true) : (i1) -> ()
    call @store_then_load_of(%true) : (i1) -> ()
    call @stored_registers_of(%true) : (i1) -> ()
    vector.print str "no fault\n"
    return
  }
}
