// Raw instructions at the addresses of views: they find what tmem.store has left in
// the second half of a buffer, and leave what tmem.load finds. Another buffer that is
// written between has columns of its own, since an address keeps its buffer alive.

// RUN: tmem-run %s --race --seeds=5 | FileCheck %s
// CHECK: raw loads: 0 wrong
// CHECK-NEXT: raw stores: 0 wrong

#s32x32b = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!buffer = !tmem.view<128x8xi32, #tmem.layout<(128, 8) : (1@tlane, 1@tcol)>>
!half = !tmem.view<128x4xi32, #tmem.layout<(128, 4) : (1@tlane, 1@tcol) + (4@tcol)>>
!out = memref<2x128x4xi32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @kernel(%out: !out) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %a = tmem.buffer : !buffer
      %b = tmem.buffer : !buffer
      %tid = gpu.thread_id x
      %thread = arith.index_cast %tid : index to i32
      // Element (i, j) is -(8 * i + j) - 1, and in b its complement.
      %c8 = arith.constant 8 : i32
      %ones = arith.constant dense<-1> : vector<8xi32>
      %columns = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : vector<8xi32>
      %row = arith.muli %thread, %c8 : i32
      %rows = vector.broadcast %row : i32 to vector<8xi32>
      %vb = arith.addi %rows, %columns : vector<8xi32>
      %va = arith.xori %vb, %ones : vector<8xi32>
      tmem.write %va, %a scope(warpgroup) : vector<8xi32>, !buffer
      %part = tmem.subview %a[0, 4] [128, 4] : !buffer to !half
      %address = tmem.address %part : !half -> i32
      tmem.write %vb, %b scope(warpgroup) : vector<8xi32>, !buffer

      // The slab of the warp is for us to add.
      %c5 = arith.constant 5 : i32
      %c21 = arith.constant 21 : i32
      %warp = arith.shrui %thread, %c5 : i32
      %slab = arith.shli %warp, %c21 : i32
      %mine = arith.addi %address, %slab : i32
      %pointer = llvm.inttoptr %mine : i32 to !llvm.ptr<6>
      %loaded = nvvm.tcgen05.ld %pointer {shape = #s32x32b} : vector<4xi32>
      nvvm.tcgen05.wait <load>
      vector.store %loaded, %out[%c0, %tid, %c0] : !out, vector<4xi32>

      %negated = arith.constant dense<-1> : vector<4xi32>
      %back = arith.xori %loaded, %negated : vector<4xi32>
      nvvm.tcgen05.st %pointer, %back {shape = #s32x32b} : vector<4xi32>
      nvvm.tcgen05.wait <store>
      %seen = tmem.read %part scope(warpgroup) : !half -> vector<4xi32>
      vector.store %seen, %out[%c1, %tid, %c0] : !out, vector<4xi32>
      gpu.return
    }
  }

  func.func @count(%out: !out, %which: index) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %rows = arith.constant 128 : index
    %none = arith.constant 0 : i32
    %minus = arith.constant -1 : i32
    %isSecond = arith.cmpi eq, %which, %c1 : index
    %mask = arith.select %isSecond, %none, %minus : i32
    %wrong = scf.for %i = %c0 to %rows step %c1 iter_args(%sum = %none) -> i32 {
      %part = scf.for %j = %c0 to %c4 step %c1 iter_args(%count = %sum) -> i32 {
        %first = arith.muli %i, %c8 : index
        %column = arith.addi %j, %c4 : index
        %number = arith.addi %first, %column : index
        %plain = arith.index_cast %number : index to i32
        %wanted = arith.xori %plain, %mask : i32
        %got = memref.load %out[%which, %i, %j] : !out
        %differs = arith.cmpi ne, %got, %wanted : i32
        %one = arith.extui %differs : i1 to i32
        %next = arith.addi %count, %one : i32
        scf.yield %next : i32
      }
      scf.yield %part : i32
    }
    return %wrong : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %threads = arith.constant 128 : index
    %out = memref.alloc() : !out
    %any = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %any : memref<*xi32>
    gpu.launch_func @kernels::@kernel blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out)
    %loads = func.call @count(%out, %c0) : (!out, index) -> i32
    %stores = func.call @count(%out, %c1) : (!out, index) -> i32
    vector.print str "raw loads: "
    vector.print %loads : i32 punctuation <no_punctuation>
    vector.print str " wrong\n"
    vector.print str "raw stores: "
    vector.print %stores : i32 punctuation <no_punctuation>
    vector.print str " wrong\n"
    %sum = arith.addi %loads, %stores : i32
    return %sum : i32
  }
}
