// RUN: tmem-opt %s --emulate-tcgen05 | FileCheck %s

// Operations and intrinsics make the same call: shape, N, flags, address, offset
// and the registers in memory.

gpu.module @kernels {
  // CHECK-LABEL: llvm.func internal @__tmem_emu_kernels_load_op(
  // CHECK-SAME: %[[THREAD:.*]]: !llvm.ptr, %[[ADDRESS:.*]]: i32, %[[OUT:.*]]: !llvm.ptr)
  // CHECK-DAG: %[[SHAPE:.*]] = llvm.mlir.constant(0 : i32) : i32
  // CHECK-DAG: %[[COUNT:.*]] = llvm.mlir.constant(4 : i32) : i32
  // CHECK-DAG: %[[NONE:.*]] = llvm.mlir.constant(0 : i64) : i64
  // CHECK-DAG: %[[WORDS:.*]] = llvm.alloca %{{.*}} x !llvm.array<4 x i32> {alignment = 16 : i64}
  // CHECK-DAG: %[[SITES:.*]] = llvm.mlir.addressof @[[TABLE:__tmem_emu_sites_.*]] : !llvm.ptr
  // CHECK: %[[SITE:.*]] = llvm.getelementptr inbounds %[[SITES]][0]
  // CHECK: llvm.call @tmemEmuLoad(%[[THREAD]], %[[SITE]], %[[SHAPE]], %[[COUNT]], %[[SHAPE]], %[[ADDRESS]], %[[NONE]], %[[WORDS]])
  // CHECK: %[[VALUE:.*]] = llvm.load %[[WORDS]] {alignment = 16 : i64} : !llvm.ptr -> vector<4xi32>
  // CHECK: llvm.call @tmemEmuWaitLoad(%[[THREAD]],
  // CHECK: llvm.store %[[VALUE]], %[[OUT]]
  llvm.func @load_op(%address: !llvm.ptr<6>, %out: !llvm.ptr) attributes {gpu.kernel} {
    %v = nvvm.tcgen05.ld %address {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<4xi32>
    nvvm.tcgen05.wait <load>
    llvm.store %v, %out : vector<4xi32>, !llvm.ptr
    llvm.return
  }

  // 16x64b is shape 1; x4 has four registers, too.

  // CHECK-LABEL: @__tmem_emu_kernels_load_intrinsic(
  // CHECK-DAG: %[[SHAPE:.*]] = llvm.mlir.constant(1 : i32) : i32
  // CHECK-DAG: %[[COUNT:.*]] = llvm.mlir.constant(4 : i32) : i32
  // CHECK-DAG: %[[FLAGS:.*]] = llvm.mlir.constant(0 : i32) : i32
  // CHECK: llvm.call @tmemEmuLoad(%{{.*}}, %{{.*}}, %[[SHAPE]], %[[COUNT]], %[[FLAGS]],
  llvm.func @load_intrinsic(%address: !llvm.ptr<6>, %out: !llvm.ptr) attributes {gpu.kernel} {
    %false = llvm.mlir.constant(false) : i1
    %v = llvm.call_intrinsic "llvm.nvvm.tcgen05.ld.16x64b.x4"(%address, %false) : (!llvm.ptr<6>, i1) -> vector<4xi32>
    nvvm.tcgen05.wait <load>
    llvm.store %v, %out : vector<4xi32>, !llvm.ptr
    llvm.return
  }

  // 16x256b has four registers for each count of N; packing is a flag.

  // CHECK-LABEL: @__tmem_emu_kernels_load_packed(
  // CHECK-DAG: %[[SHAPE:.*]] = llvm.mlir.constant(3 : i32) : i32
  // CHECK-DAG: %[[COUNT:.*]] = llvm.mlir.constant(2 : i32) : i32
  // CHECK-DAG: %[[PACK:.*]] = llvm.mlir.constant(1 : i32) : i32
  // CHECK: llvm.call @tmemEmuLoad(%{{.*}}, %{{.*}}, %[[SHAPE]], %[[COUNT]], %[[PACK]],
  llvm.func @load_packed(%address: !llvm.ptr<6>, %out: !llvm.ptr) attributes {gpu.kernel} {
    %v = nvvm.tcgen05.ld %address pack {shape = #nvvm.tcgen05_ldst_shape<shape_16x256b>} : vector<8xi32>
    nvvm.tcgen05.wait <load>
    llvm.store %v, %out : vector<8xi32>, !llvm.ptr
    llvm.return
  }

  // The operand decides on packing where it is no constant.

  // CHECK-LABEL: @__tmem_emu_kernels_pack_operand(
  // CHECK-SAME: %{{.*}}: !llvm.ptr, %{{.*}}: i32, %[[PACK:.*]]: i1,
  // CHECK: %[[FLAGS:.*]] = llvm.select %[[PACK]], %{{.*}}, %{{.*}} : i1, i32
  // CHECK: llvm.call @tmemEmuLoad(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[FLAGS]],
  llvm.func @pack_operand(%address: !llvm.ptr<6>, %pack: i1, %out: !llvm.ptr) attributes {gpu.kernel} {
    %v = llvm.call_intrinsic "llvm.nvvm.tcgen05.ld.32x32b.x1"(%address, %pack) : (!llvm.ptr<6>, i1) -> i32
    nvvm.tcgen05.wait <load>
    llvm.store %v, %out : i32, !llvm.ptr
    llvm.return
  }

  // CHECK-LABEL: @__tmem_emu_kernels_split(
  // CHECK-DAG: %[[SHAPE:.*]] = llvm.mlir.constant(4 : i32) : i32
  // CHECK-DAG: %[[COUNT:.*]] = llvm.mlir.constant(2 : i32) : i32
  // CHECK-DAG: %[[OFFSET:.*]] = llvm.mlir.constant(64 : i64) : i64
  // CHECK: llvm.call @tmemEmuLoad(%{{.*}}, %{{.*}}, %[[SHAPE]], %[[COUNT]], %{{.*}}, %{{.*}}, %[[OFFSET]],
  // CHECK: llvm.call @tmemEmuStore(%{{.*}}, %{{.*}}, %[[SHAPE]], %[[COUNT]], %{{.*}}, %{{.*}}, %[[OFFSET]],
  llvm.func @split(%address: !llvm.ptr<6>) attributes {gpu.kernel} {
    %offset = llvm.mlir.constant(64 : i64) : i64
    %false = llvm.mlir.constant(false) : i1
    %v = nvvm.tcgen05.ld %address, %offset {shape = #nvvm.tcgen05_ldst_shape<shape_16x32bx2>} : vector<2xi32>
    nvvm.tcgen05.wait <load>
    llvm.call_intrinsic "llvm.nvvm.tcgen05.st.16x32bx2.x2"(%address, %offset, %v, %false) : (!llvm.ptr<6>, i64, vector<2xi32>, i1) -> ()
    nvvm.tcgen05.wait <store>
    llvm.return
  }

  // CHECK-LABEL: @__tmem_emu_kernels_store(
  // CHECK-SAME: %[[THREAD:.*]]: !llvm.ptr, %[[ADDRESS:.*]]: i32, %[[VALUE:.*]]: vector<2xi32>)
  // CHECK-DAG: %[[SHAPE:.*]] = llvm.mlir.constant(2 : i32) : i32
  // CHECK-DAG: %[[ONE:.*]] = llvm.mlir.constant(1 : i32) : i32
  // CHECK-DAG: %[[WORDS:.*]] = llvm.alloca %{{.*}} x !llvm.array<2 x i32>
  // CHECK: llvm.store %[[VALUE]], %[[WORDS]] {alignment = 16 : i64}
  // CHECK: llvm.call @tmemEmuStore(%[[THREAD]], %{{.*}}, %[[SHAPE]], %[[ONE]], %[[ONE]], %[[ADDRESS]], %{{.*}}, %[[WORDS]])
  // CHECK: llvm.call @tmemEmuWaitStore(%[[THREAD]],
  llvm.func @store(%address: !llvm.ptr<6>, %v: vector<2xi32>) attributes {gpu.kernel} {
    nvvm.tcgen05.st %address, %v unpack {shape = #nvvm.tcgen05_ldst_shape<shape_16x128b>} : vector<2xi32>
    llvm.call_intrinsic "llvm.nvvm.tcgen05.wait.st"() : () -> ()
    llvm.return
  }

  // CHECK-LABEL: @__tmem_emu_kernels_fences(
  // CHECK-DAG: %[[BEFORE:.*]] = llvm.mlir.constant(0 : i32) : i32
  // CHECK-DAG: %[[AFTER:.*]] = llvm.mlir.constant(1 : i32) : i32
  // CHECK: llvm.call @tmemEmuFence(%{{.*}}, %{{.*}}, %[[BEFORE]])
  // CHECK: llvm.call @tmemEmuFence(%{{.*}}, %{{.*}}, %[[AFTER]])
  // CHECK: llvm.call @tmemEmuFence(%{{.*}}, %{{.*}}, %[[BEFORE]])
  // CHECK: llvm.call @tmemEmuFence(%{{.*}}, %{{.*}}, %[[AFTER]])
  llvm.func @fences() attributes {gpu.kernel} {
    nvvm.tcgen05.fence <before>
    nvvm.tcgen05.fence <after>
    llvm.call_intrinsic "llvm.nvvm.tcgen05.fence.before.thread.sync"() : () -> ()
    llvm.call_intrinsic "llvm.nvvm.tcgen05.fence.after.thread.sync"() : () -> ()
    llvm.return
  }

  // CHECK-LABEL: @__tmem_emu_kernels_cells(
  // CHECK: %[[CELL:.*]] = llvm.call @tmemEmuReadCell(%{{.*}}, %{{.*}}, %[[ADDRESS:[^)]*]])
  // CHECK: llvm.call @tmemEmuWriteCell(%{{.*}}, %{{.*}}, %[[ADDRESS]], %[[CELL]])
  llvm.func @cells(%address: i32) attributes {gpu.kernel} {
    %v = llvm.call @tmem_emulation_read_cell(%address) : (i32) -> i32
    llvm.call @tmem_emulation_write_cell(%address, %v) : (i32, i32) -> ()
    llvm.return
  }
  llvm.func @tmem_emulation_read_cell(i32) -> i32
  llvm.func @tmem_emulation_write_cell(i32, i32)
}

// CHECK-NOT: @tmem_emulation
// CHECK: llvm.mlir.global internal constant @[[TABLE]]([{{.*}}"nvvm.tcgen05.ld\00
