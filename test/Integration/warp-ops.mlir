// Shuffles, votes, elections, matches and reductions of a warp.

// RUN: tmem-run %s | FileCheck %s
// RUN: tmem-run %s --seeds=3 | FileCheck %s

// CHECK:      bfly: ( 1936384620, -478700756, 1218333458, 1070406926, -1640531528, 0, -1879881906, 2027808466, 1923044916, -13339676, 247592186, 578366438, 260931904, -1914803080, -935820042, -844396182, -1919901060, 917382428, -257788062, 551686974, -1667210936, 930722160, 473602846, 1043727490, -1002518716, -1981501740, -297807286, 990368534, 1164974544, -53358872, -1946580538, -897755110 )
// CHECK-NEXT: up: ( 0, -1640531528, 2027808466, 0, -1640531528, 2027808466, -1879881906, -478700756, 1936384620, 1070406926, 1218333458, -1914803080, 260931904, -844396182, -935820042, -13339676, 1923044916, 578366438, 247592186, 930722160, -1667210936, 1043727490, 473602846, 917382428, -1919901060, 551686974, -257788062, -53358872, 1164974544, -897755110, -1946580538, -1981501740 )
// CHECK-NEXT: down: ( -478700756, 1936384620, 1070406926, 1218333458, -1914803080, 260931904, -844396182, -935820042, -13339676, 1923044916, 578366438, 247592186, 930722160, -1667210936, 1043727490, 473602846, 917382428, -1919901060, 551686974, -257788062, -53358872, 1164974544, -897755110, -1946580538, -1981501740, -1002518716, 990368534, -297807286, -1981501740, -1002518716, 990368534, -297807286 )
// CHECK-NEXT: idx: ( 0, 1218333458, 578366438, -1919901060, -1981501740, -1879881906, -844396182, -1667210936, -53358872, -297807286, 1070406926, 1923044916, 917382428, -1946580538, 2027808466, 260931904, 930722160, -257788062, 990368534, 1936384620, -13339676, 473602846, -897755110, -1640531528, -1914803080, 247592186, 551686974, -1002518716, -478700756, -935820042, 1043727490, 1164974544 )
// CHECK-NEXT: idx of 8: ( 0, 1218333458, 1070406926, 1936384620, -478700756, -1879881906, 2027808466, -1640531528, -1914803080, 247592186, 578366438, 1923044916, -13339676, -935820042, -844396182, 260931904, 930722160, -257788062, 551686974, -1919901060, 917382428, 473602846, 1043727490, -1667210936, -53358872, -297807286, 990368534, -1002518716, -1981501740, -1946580538, -897755110, 1164974544 )
// CHECK-NEXT: gpu.shuffle: ( -1640531528, 0, -1879881906, 2027808466, 1936384620, -478700756, 1218333458, 1070406926, 260931904, -1914803080, -935820042, -844396182, 1923044916, -13339676, 247592186, 578366438, -1667210936, 930722160, 473602846, 1043727490, -1919901060, 917382428, -257788062, 551686974, 1164974544, -53358872, -1946580538, -897755110, -1002518716, -1981501740, -297807286, 990368534 )
// CHECK-NEXT: ballot: ( 1227133513, 1227133513, 1227133513, 1227133513, 1227133513, 1227133513, 1227133513, 1227133513, 1227133513, 1227133513, 1227133513, 1227133513, 1227133513, 1227133513, 1227133513, 1227133513, 1227133513, 1227133513, 1227133513, 1227133513, 1227133513, 1227133513, 1227133513, 1227133513, 1227133513, 1227133513, 1227133513, 1227133513, 1227133513, 1227133513, 1227133513, 1227133513 )
// CHECK-NEXT: ballot of halves: ( 37449, 37449, 37449, 37449, 37449, 37449, 37449, 37449, 37449, 37449, 37449, 37449, 37449, 37449, 37449, 37449, 1227096064, 1227096064, 1227096064, 1227096064, 1227096064, 1227096064, 1227096064, 1227096064, 1227096064, 1227096064, 1227096064, 1227096064, 1227096064, 1227096064, 1227096064, 1227096064 )
// CHECK-NEXT: any, all, uni: ( 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 )
// CHECK-NEXT: elected: ( 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 )
// CHECK-NEXT: elected of some: ( 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 )
// CHECK-NEXT: match any: ( 31, 31, 31, 31, 31, 992, 992, 992, 992, 992, 31744, 31744, 31744, 31744, 31744, 1015808, 1015808, 1015808, 1015808, 1015808, 32505856, 32505856, 32505856, 32505856, 32505856, 1040187392, 1040187392, 1040187392, 1040187392, 1040187392, -1073741824, -1073741824 )
// CHECK-NEXT: match all: ( -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 )
// CHECK-NEXT: redux add: ( 1898405696, 1898405696, 1898405696, 1898405696, 1898405696, 1898405696, 1898405696, 1898405696, 1898405696, 1898405696, 1898405696, 1898405696, 1898405696, 1898405696, 1898405696, 1898405696, 1898405696, 1898405696, 1898405696, 1898405696, 1898405696, 1898405696, 1898405696, 1898405696, 1898405696, 1898405696, 1898405696, 1898405696, 1898405696, 1898405696, 1898405696, 1898405696 )
// CHECK-NEXT: redux umin: ( 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 )
// CHECK-NEXT: redux umax: ( -13339676, -13339676, -13339676, -13339676, -13339676, -13339676, -13339676, -13339676, -13339676, -13339676, -13339676, -13339676, -13339676, -13339676, -13339676, -13339676, -13339676, -13339676, -13339676, -13339676, -13339676, -13339676, -13339676, -13339676, -13339676, -13339676, -13339676, -13339676, -13339676, -13339676, -13339676, -13339676 )
// CHECK-NEXT: redux min: ( -1981501740, -1981501740, -1981501740, -1981501740, -1981501740, -1981501740, -1981501740, -1981501740, -1981501740, -1981501740, -1981501740, -1981501740, -1981501740, -1981501740, -1981501740, -1981501740, -1981501740, -1981501740, -1981501740, -1981501740, -1981501740, -1981501740, -1981501740, -1981501740, -1981501740, -1981501740, -1981501740, -1981501740, -1981501740, -1981501740, -1981501740, -1981501740 )
// CHECK-NEXT: redux max: ( 2027808466, 2027808466, 2027808466, 2027808466, 2027808466, 2027808466, 2027808466, 2027808466, 2027808466, 2027808466, 2027808466, 2027808466, 2027808466, 2027808466, 2027808466, 2027808466, 2027808466, 2027808466, 2027808466, 2027808466, 2027808466, 2027808466, 2027808466, 2027808466, 2027808466, 2027808466, 2027808466, 2027808466, 2027808466, 2027808466, 2027808466, 2027808466 )
// CHECK-NEXT: redux and: ( 112, 112, 112, 112, 112, 112, 112, 112, 112, 112, 112, 112, 112, 112, 112, 112, 112, 112, 112, 112, 112, 112, 112, 112, 112, 112, 112, 112, 112, 112, 112, 112 )
// CHECK-NEXT: redux or: ( -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2 )
// CHECK-NEXT: redux xor: ( 719859616, 719859616, 719859616, 719859616, 719859616, 719859616, 719859616, 719859616, 719859616, 719859616, 719859616, 719859616, 719859616, 719859616, 719859616, 719859616, 719859616, 719859616, 719859616, 719859616, 719859616, 719859616, 719859616, 719859616, 719859616, 719859616, 719859616, 719859616, 719859616, 719859616, 719859616, 719859616 )
// CHECK-NEXT: redux of odd lanes: ( -1, -28208304, -1, -28208304, -1, -28208304, -1, -28208304, -1, -28208304, -1, -28208304, -1, -28208304, -1, -28208304, -1, -28208304, -1, -28208304, -1, -28208304, -1, -28208304, -1, -28208304, -1, -28208304, -1, -28208304, -1, -28208304 )
// CHECK-NEXT: lane masks: ( 1, 3, 7, 15, 31, 63, 127, 255, 511, 1023, 2047, 4095, 8191, 16383, 32767, 65535, 131071, 262143, 524287, 1048575, 2097151, 4194303, 8388607, 16777215, 33554431, 67108863, 134217727, 268435455, 536870911, 1073741823, 2147483647, -1 )

!out = memref<23x32xi32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // The value of lane l is 2654435761 l^2 + 7 l.
    gpu.func @warp(%out: !out) kernel {
      %all = arith.constant -1 : i32
      %zero = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c2 = arith.constant 2 : i32
      %c3 = arith.constant 3 : i32
      %c4 = arith.constant 4 : i32
      %c5 = arith.constant 5 : i32
      %c7 = arith.constant 7 : i32
      %c16 = arith.constant 16 : i32
      %c70 = arith.constant 0x70 : i32
      %width = arith.constant 32 : i32
      %clamp = arith.constant 0x1F : i32
      %clamp8 = arith.constant 0x181F : i32
      %factor = arith.constant 2654435761 : i32
      %tid = gpu.thread_id x
      %lane = arith.index_cast %tid : index to i32
      %lane7 = arith.muli %lane, %c7 : i32
      %square = arith.muli %lane, %lane : i32
      %product = arith.muli %square, %factor : i32
      %value = arith.addi %product, %lane7 : i32
      %rest = arith.remui %lane, %c3 : i32
      %third = arith.cmpi eq, %rest, %zero : i32
      %fifth = arith.divui %lane, %c5 : i32
      %lower = arith.cmpi ult, %lane, %c16 : i32
      %low = arith.constant 0x0000FFFF : i32
      %high = arith.constant 0xFFFF0000 : i32
      %half = arith.select %lower, %low, %high : i32
      %v0 = nvvm.shfl.sync bfly %all, %value, %c5, %clamp : i32 -> i32
      %i0 = arith.constant 0 : index
      memref.store %v0, %out[%i0, %tid] : !out
      %v1 = nvvm.shfl.sync up %all, %value, %c3, %zero : i32 -> i32
      %i1 = arith.constant 1 : index
      memref.store %v1, %out[%i1, %tid] : !out
      %v2 = nvvm.shfl.sync down %all, %value, %c4, %clamp : i32 -> i32
      %i2 = arith.constant 2 : index
      memref.store %v2, %out[%i2, %tid] : !out
      %v3 = nvvm.shfl.sync idx %all, %value, %lane7, %clamp : i32 -> i32
      %i3 = arith.constant 3 : index
      memref.store %v3, %out[%i3, %tid] : !out
      %v4 = nvvm.shfl.sync idx %all, %value, %lane7, %clamp8 : i32 -> i32
      %i4 = arith.constant 4 : index
      memref.store %v4, %out[%i4, %tid] : !out
      %v5, %valid5 = gpu.shuffle xor %value, %c1, %width : i32
      %i5 = arith.constant 5 : index
      memref.store %v5, %out[%i5, %tid] : !out
      %v6 = nvvm.vote.sync ballot %all, %third -> i32
      %i6 = arith.constant 6 : index
      memref.store %v6, %out[%i6, %tid] : !out
      %v7 = nvvm.vote.sync ballot %half, %third -> i32
      %i7 = arith.constant 7 : index
      memref.store %v7, %out[%i7, %tid] : !out
      %any8 = nvvm.vote.sync any %all, %third -> i1
      %every8 = nvvm.vote.sync all %all, %third -> i1
      %same8 = nvvm.vote.sync uni %all, %third -> i1
      %any_bit8 = arith.extui %any8 : i1 to i32
      %every_bit8 = arith.extui %every8 : i1 to i32
      %same_bit8 = arith.extui %same8 : i1 to i32
      %every_28 = arith.shli %every_bit8, %c1 : i32
      %same_48 = arith.shli %same_bit8, %c2 : i32
      %two8 = arith.ori %any_bit8, %every_28 : i32
      %v8 = arith.ori %two8, %same_48 : i32
      %i8 = arith.constant 8 : index
      memref.store %v8, %out[%i8, %tid] : !out
      %p9 = nvvm.elect.sync -> i1
      %who9 = nvvm.vote.sync ballot %all, %p9 -> i32
      %v9 = llvm.intr.ctpop(%who9) : (i32) -> i32
      %i9 = arith.constant 9 : index
      memref.store %v9, %out[%i9, %tid] : !out
      %some10 = arith.constant 0x00000A00 : i32
      %c910 = arith.constant 9 : i32
      %c1110 = arith.constant 11 : i32
      %is910 = arith.cmpi eq, %lane, %c910 : i32
      %is1110 = arith.cmpi eq, %lane, %c1110 : i32
      %is10 = arith.ori %is910, %is1110 : i1
      %v10 = scf.if %is10 -> i32 {
        %p10 = nvvm.elect.sync %some10 -> i1
        %who10 = nvvm.vote.sync ballot %some10, %p10 -> i32
        %count10 = llvm.intr.ctpop(%who10) : (i32) -> i32
        scf.yield %count10 : i32
      } else {
        scf.yield %zero : i32
      }
      %i10 = arith.constant 10 : index
      memref.store %v10, %out[%i10, %tid] : !out
      %v11 = nvvm.match.sync any %all, %fifth : i32 -> i32
      %i11 = arith.constant 11 : index
      memref.store %v11, %out[%i11, %tid] : !out
      %s12 = nvvm.match.sync all %all, %c5 : i32 -> !llvm.struct<(i32, i1)>
      %v12 = llvm.extractvalue %s12[0] : !llvm.struct<(i32, i1)>
      %i12 = arith.constant 12 : index
      memref.store %v12, %out[%i12, %tid] : !out
      %v13 = nvvm.redux.sync add %value, %all : i32 -> i32
      %i13 = arith.constant 13 : index
      memref.store %v13, %out[%i13, %tid] : !out
      %v14 = nvvm.redux.sync umin %value, %all : i32 -> i32
      %i14 = arith.constant 14 : index
      memref.store %v14, %out[%i14, %tid] : !out
      %v15 = nvvm.redux.sync umax %value, %all : i32 -> i32
      %i15 = arith.constant 15 : index
      memref.store %v15, %out[%i15, %tid] : !out
      %v16 = nvvm.redux.sync min %value, %all : i32 -> i32
      %i16 = arith.constant 16 : index
      memref.store %v16, %out[%i16, %tid] : !out
      %v17 = nvvm.redux.sync max %value, %all : i32 -> i32
      %i17 = arith.constant 17 : index
      memref.store %v17, %out[%i17, %tid] : !out
      %bits18 = arith.ori %value, %c70 : i32
      %v18 = nvvm.redux.sync and %bits18, %all : i32 -> i32
      %i18 = arith.constant 18 : index
      memref.store %v18, %out[%i18, %tid] : !out
      %v19 = nvvm.redux.sync or %value, %all : i32 -> i32
      %i19 = arith.constant 19 : index
      memref.store %v19, %out[%i19, %tid] : !out
      %v20 = nvvm.redux.sync xor %value, %all : i32 -> i32
      %i20 = arith.constant 20 : index
      memref.store %v20, %out[%i20, %tid] : !out
      %odd_lanes21 = arith.constant 0xAAAAAAAA : i32
      %bit21 = arith.andi %lane, %c1 : i32
      %odd21 = arith.cmpi eq, %bit21, %c1 : i32
      %v21 = scf.if %odd21 -> i32 {
        %sum21 = nvvm.redux.sync add %value, %odd_lanes21 : i32 -> i32
        scf.yield %sum21 : i32
      } else {
        scf.yield %all : i32
      }
      %i21 = arith.constant 21 : index
      memref.store %v21, %out[%i21, %tid] : !out
      %v22 = nvvm.read.ptx.sreg.lanemask.le : i32
      %i22 = arith.constant 22 : index
      memref.store %v22, %out[%i22, %tid] : !out
      nvvm.bar.warp.sync %all : i32
      gpu.return
    }
  }

  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@warp blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) args(%out : !out)
    vector.print str "bfly: "
    %i0 = arith.constant 0 : index
    %v0 = vector.load %out[%i0, %c0] : !out, vector<32xi32>
    vector.print %v0 : vector<32xi32>
    vector.print str "up: "
    %i1 = arith.constant 1 : index
    %v1 = vector.load %out[%i1, %c0] : !out, vector<32xi32>
    vector.print %v1 : vector<32xi32>
    vector.print str "down: "
    %i2 = arith.constant 2 : index
    %v2 = vector.load %out[%i2, %c0] : !out, vector<32xi32>
    vector.print %v2 : vector<32xi32>
    vector.print str "idx: "
    %i3 = arith.constant 3 : index
    %v3 = vector.load %out[%i3, %c0] : !out, vector<32xi32>
    vector.print %v3 : vector<32xi32>
    vector.print str "idx of 8: "
    %i4 = arith.constant 4 : index
    %v4 = vector.load %out[%i4, %c0] : !out, vector<32xi32>
    vector.print %v4 : vector<32xi32>
    vector.print str "gpu.shuffle: "
    %i5 = arith.constant 5 : index
    %v5 = vector.load %out[%i5, %c0] : !out, vector<32xi32>
    vector.print %v5 : vector<32xi32>
    vector.print str "ballot: "
    %i6 = arith.constant 6 : index
    %v6 = vector.load %out[%i6, %c0] : !out, vector<32xi32>
    vector.print %v6 : vector<32xi32>
    vector.print str "ballot of halves: "
    %i7 = arith.constant 7 : index
    %v7 = vector.load %out[%i7, %c0] : !out, vector<32xi32>
    vector.print %v7 : vector<32xi32>
    vector.print str "any, all, uni: "
    %i8 = arith.constant 8 : index
    %v8 = vector.load %out[%i8, %c0] : !out, vector<32xi32>
    vector.print %v8 : vector<32xi32>
    vector.print str "elected: "
    %i9 = arith.constant 9 : index
    %v9 = vector.load %out[%i9, %c0] : !out, vector<32xi32>
    vector.print %v9 : vector<32xi32>
    vector.print str "elected of some: "
    %i10 = arith.constant 10 : index
    %v10 = vector.load %out[%i10, %c0] : !out, vector<32xi32>
    vector.print %v10 : vector<32xi32>
    vector.print str "match any: "
    %i11 = arith.constant 11 : index
    %v11 = vector.load %out[%i11, %c0] : !out, vector<32xi32>
    vector.print %v11 : vector<32xi32>
    vector.print str "match all: "
    %i12 = arith.constant 12 : index
    %v12 = vector.load %out[%i12, %c0] : !out, vector<32xi32>
    vector.print %v12 : vector<32xi32>
    vector.print str "redux add: "
    %i13 = arith.constant 13 : index
    %v13 = vector.load %out[%i13, %c0] : !out, vector<32xi32>
    vector.print %v13 : vector<32xi32>
    vector.print str "redux umin: "
    %i14 = arith.constant 14 : index
    %v14 = vector.load %out[%i14, %c0] : !out, vector<32xi32>
    vector.print %v14 : vector<32xi32>
    vector.print str "redux umax: "
    %i15 = arith.constant 15 : index
    %v15 = vector.load %out[%i15, %c0] : !out, vector<32xi32>
    vector.print %v15 : vector<32xi32>
    vector.print str "redux min: "
    %i16 = arith.constant 16 : index
    %v16 = vector.load %out[%i16, %c0] : !out, vector<32xi32>
    vector.print %v16 : vector<32xi32>
    vector.print str "redux max: "
    %i17 = arith.constant 17 : index
    %v17 = vector.load %out[%i17, %c0] : !out, vector<32xi32>
    vector.print %v17 : vector<32xi32>
    vector.print str "redux and: "
    %i18 = arith.constant 18 : index
    %v18 = vector.load %out[%i18, %c0] : !out, vector<32xi32>
    vector.print %v18 : vector<32xi32>
    vector.print str "redux or: "
    %i19 = arith.constant 19 : index
    %v19 = vector.load %out[%i19, %c0] : !out, vector<32xi32>
    vector.print %v19 : vector<32xi32>
    vector.print str "redux xor: "
    %i20 = arith.constant 20 : index
    %v20 = vector.load %out[%i20, %c0] : !out, vector<32xi32>
    vector.print %v20 : vector<32xi32>
    vector.print str "redux of odd lanes: "
    %i21 = arith.constant 21 : index
    %v21 = vector.load %out[%i21, %c0] : !out, vector<32xi32>
    vector.print %v21 : vector<32xi32>
    vector.print str "lane masks: "
    %i22 = arith.constant 22 : index
    %v22 = vector.load %out[%i22, %c0] : !out, vector<32xi32>
    vector.print %v22 : vector<32xi32>
    return
  }
}
