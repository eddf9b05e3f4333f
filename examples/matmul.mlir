// A whole kernel: D = A * transposed B, 128x64x64, f16 to f32. Threads lay A and B out in
// shared memory, one of them lets the tensor core multiply, and all of them drain the
// accumulator from Tensor Memory in a pipelined loop: load, scale and store.
//
//   tmem-run matmul.mlir
//   tmem-opt matmul.mlir --pass-pipeline='builtin.module(tmem-to-cubin)'

#shared = #gpu.address_space<workgroup>
#regs = #tmem.layout<(128, 16) : (1@tid, 1@reg)>
!acc = !tmem.view<128x64xf32, #tmem.datapath<D>>
!part = !tmem.view<128x16xf32, #tmem.datapath<D>>
!pending = !tmem.pending<vector<16xf32>>
!slot = memref<1xi32, #shared>
!barrier = memref<1xi64, #shared>
// Core matrices of 8 rows by 16 bytes, in rows of 8: those next to each other are 128
// bytes apart, those below each other 1024.
!a = memref<16x8x8x8xf16, #shared>
!b = memref<8x8x8x8xf16, #shared>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @matmul(%a: memref<128x64xf16>, %b: memref<64x64xf16>, %scale: f32,
                     %d: memref<128x64xf32>)
        workgroup(%slot: !slot, %barrier: !barrier, %shared_a: !a, %shared_b: !b)
        kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %c48 = arith.constant 48 : index
      %c64 = arith.constant 64 : index
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %tid = gpu.thread_id x
      %first_warp = arith.cmpi ult, %tid, %c32 : index
      %first_thread = arith.cmpi eq, %tid, %c0 : index
      %done_at = memref.extract_aligned_pointer_as_index %barrier : !barrier -> index
      %done_i64 = arith.index_cast %done_at : index to i64
      %done = llvm.inttoptr %done_i64 : i64 to !llvm.ptr<3>
      scf.if %first_warp {
        tmem.alloc %slot, 64 : !slot
      }
      scf.if %first_thread {
        nvvm.mbarrier.init %done, %one : !llvm.ptr<3>, i32
      }

      // Thread i copies row i of A, and of B.
      %i0 = arith.divui %tid, %c8 : index
      %i1 = arith.remui %tid, %c8 : index
      %has_b = arith.cmpi ult, %tid, %c64 : index
      scf.for %k = %c0 to %c64 step %c1 {
        %k0 = arith.divui %k, %c8 : index
        %k1 = arith.remui %k, %c8 : index
        %x = memref.load %a[%tid, %k] : memref<128x64xf16>
        memref.store %x, %shared_a[%i0, %k0, %i1, %k1] : !a
        scf.if %has_b {
          %y = memref.load %b[%tid, %k] : memref<64x64xf16>
          memref.store %y, %shared_b[%i0, %k0, %i1, %k1] : !b
        }
      }
      // The tensor core reads shared memory through another proxy.
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      nvvm.tcgen05.fence <before>
      gpu.barrier
      nvvm.tcgen05.fence <after>
      %base = memref.load %slot[%c0] : !slot

      // Each instruction multiplies 16 columns of A and B: 256 bytes of both.
      scf.if %first_thread {
        %address = llvm.inttoptr %base : i32 to !llvm.ptr<6>
        %a_at = memref.extract_aligned_pointer_as_index %shared_a : !a -> index
        %b_at = memref.extract_aligned_pointer_as_index %shared_b : !b -> index
        %a_i32 = arith.index_cast %a_at : index to i32
        %b_i32 = arith.index_cast %b_at : index to i32
        // In units of 16 bytes.
        %four = arith.constant 4 : i32
        %a_start = arith.shrui %a_i32, %four : i32
        %b_start = arith.shrui %b_i32, %four : i32
        %leading = arith.constant 8 : i32
        %stride = arith.constant 64 : i32
        %none = arith.constant 0 : i8
        %relative = arith.constant false
        %a_first = nvvm.tcgen05.mma_smem_desc(%a_start, %leading, %stride, %none, %relative, %none)
            : (i32, i32, i32, i8, i1, i8) -> i64
        %b_first = nvvm.tcgen05.mma_smem_desc(%b_start, %leading, %stride, %none, %relative, %none)
            : (i32, i32, i32, i8, i1, i8) -> i64
        // f32 of f16 and f16, N = 64, M = 128.
        %shape = arith.constant 0x8100010 : i32
        %c4 = arith.constant 4 : index
        %step = arith.constant 16 : i64
        scf.for %k = %c0 to %c4 step %c1 {
          %k_i64 = arith.index_cast %k : index to i64
          %offset = arith.muli %k_i64, %step : i64
          %a_k = arith.addi %a_first, %offset : i64
          %b_k = arith.addi %b_first, %offset : i64
          // The first one does not add what Tensor Memory holds.
          %adds = arith.cmpi ne, %k, %c0 : index
          nvvm.tcgen05.mma %address, %a_k, %b_k, %shape, %adds
              {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>}
              : (!llvm.ptr<6>, i64, i64, i32, i1)
        }
        nvvm.tcgen05.commit %done : !llvm.ptr<3>
      }
      %ticks = arith.constant 1000000 : i32
      nvvm.mbarrier.try_wait.parity %done, %zero, %ticks : !llvm.ptr<3>, i32, i32
      nvvm.tcgen05.fence <after>

      // The epilogue is pipelined: 16 columns are on their way from Tensor Memory while
      // those before them are scaled and stored.
      %acc = tmem.view %base : !acc
      %scales = vector.broadcast %scale : f32 to vector<16xf32>
      %part = tmem.subview %acc[0, 0] [128, 16] : !acc to !part
      %first = tmem.load %part registers(#regs) scope(warpgroup) : !part -> !pending
      %last = scf.for %j = %c0 to %c48 step %c16 iter_args(%under_way = %first) -> !pending {
        %row = tmem.wait_load %under_way : !pending
        %j_next = arith.addi %j, %c16 : index
        %window = tmem.subview %acc[0, %j_next] [128, 16] : !acc to !part
        %next = tmem.load %window registers(#regs) scope(warpgroup) : !part -> !pending
        %scaled = arith.mulf %row, %scales : vector<16xf32>
        vector.store %scaled, %d[%tid, %j] {alignment = 32}
            : memref<128x64xf32>, vector<16xf32>
        scf.yield %next : !pending
      }
      %row = tmem.wait_load %last : !pending
      %scaled = arith.mulf %row, %scales : vector<16xf32>
      vector.store %scaled, %d[%tid, %c48] {alignment = 32}
          : memref<128x64xf32>, vector<16xf32>

      nvvm.tcgen05.fence <before>
      gpu.barrier
      nvvm.tcgen05.fence <after>
      scf.if %first_warp {
        tmem.relinquish_alloc_permit
        tmem.dealloc %base, 64
      }
      gpu.return
    }
  }

  // Fills A and B, launches one CTA, and counts what came back wrong.
  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %scale = arith.constant 0.5 : f32
    %a = memref.alloc() {alignment = 64} : memref<128x64xf16>
    %b = memref.alloc() {alignment = 64} : memref<64x64xf16>
    %d = memref.alloc() {alignment = 64} : memref<128x64xf32>
    scf.for %i = %c0 to %c128 step %c1 {
      scf.for %k = %c0 to %c64 step %c1 {
        %value = func.call @element(%i, %k) : (index, index) -> f16
        memref.store %value, %a[%i, %k] : memref<128x64xf16>
      }
    }
    scf.for %j = %c0 to %c64 step %c1 {
      scf.for %k = %c0 to %c64 step %c1 {
        %other = arith.addi %j, %c7 : index
        %value = func.call @element(%k, %other) : (index, index) -> f16
        memref.store %value, %b[%j, %k] : memref<64x64xf16>
      }
    }
    %a_any = memref.cast %a : memref<128x64xf16> to memref<*xf16>
    %b_any = memref.cast %b : memref<64x64xf16> to memref<*xf16>
    %d_any = memref.cast %d : memref<128x64xf32> to memref<*xf32>
    gpu.host_register %a_any : memref<*xf16>
    gpu.host_register %b_any : memref<*xf16>
    gpu.host_register %d_any : memref<*xf32>
    gpu.launch_func @kernels::@matmul blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1)
        args(%a : memref<128x64xf16>, %b : memref<64x64xf16>, %scale : f32,
             %d : memref<128x64xf32>)

    // All sums are exact, in any order.
    %none = arith.constant 0 : i32
    %nothing = arith.constant 0.0 : f32
    %wrong = scf.for %i = %c0 to %c128 step %c1 iter_args(%rows = %none) -> (i32) {
      %row = scf.for %j = %c0 to %c64 step %c1 iter_args(%before = %rows) -> (i32) {
        %sum = scf.for %k = %c0 to %c64 step %c1 iter_args(%part = %nothing) -> (f32) {
          %x = memref.load %a[%i, %k] : memref<128x64xf16>
          %y = memref.load %b[%j, %k] : memref<64x64xf16>
          %x32 = arith.extf %x : f16 to f32
          %y32 = arith.extf %y : f16 to f32
          %product = arith.mulf %x32, %y32 : f32
          %next = arith.addf %part, %product : f32
          scf.yield %next : f32
        }
        %expected = arith.mulf %sum, %scale : f32
        %got = memref.load %d[%i, %j] : memref<128x64xf32>
        %differs = arith.cmpf une, %got, %expected : f32
        %one = arith.extui %differs : i1 to i32
        %after = arith.addi %before, %one : i32
        scf.yield %after : i32
      }
      scf.yield %row : i32
    }
    vector.print str "8192 sums compared, wrong: "
    vector.print %wrong : i32
    return %wrong : i32
  }

  // A number from -24 to 24, in eighths.
  func.func private @element(%i: index, %j: index) -> f16 {
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %c49 = arith.constant 49 : index
    %eighth = arith.constant 0.125 : f16
    %x = arith.muli %i, %c3 : index
    %y = arith.muli %j, %c5 : index
    %sum = arith.addi %x, %y : index
    %rest = arith.remui %sum, %c49 : index
    %integer = arith.index_cast %rest : index to i32
    %middle = arith.constant 24 : i32
    %signed = arith.subi %integer, %middle : i32
    %value = arith.sitofp %signed : i32 to f16
    %scaled = arith.mulf %value, %eighth : f16
    return %scaled : f16
  }
}
