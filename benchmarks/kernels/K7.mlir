// The maximum of each row of a 128x256 accumulator, 32 columns at a time: the
// next load is in flight while the columns that arrived are compared.
//
// The hardware takes the maximum of three at once. 32 columns and the maximum so
// far make 16 of these in a tree: 30 to 10, 10 to 3 and 1, and so on. A chain
// takes as many, one after the other; vector.reduction takes more, its trees do
// not meet.

!acc = !tmem.view<128x256xf32, #tmem.datapath<D>>
!chunk = !tmem.view<128x32xf32, #tmem.datapath<D>>
!pending = !tmem.pending<vector<32xf32>>

gpu.module @kernels {
  gpu.func @K7(%base: i32, %out: memref<128xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c96 = arith.constant 96 : index
    %c128 = arith.constant 128 : index
    %c160 = arith.constant 160 : index
    %c192 = arith.constant 192 : index
    %c224 = arith.constant 224 : index
    %tid = gpu.thread_id x
    %mem = tmem.view %base : !acc
    %chunk0 = tmem.subview %mem[0, %c0] [128, 32] : !acc to !chunk
    %chunk1 = tmem.subview %mem[0, %c32] [128, 32] : !acc to !chunk
    %chunk2 = tmem.subview %mem[0, %c64] [128, 32] : !acc to !chunk
    %chunk3 = tmem.subview %mem[0, %c96] [128, 32] : !acc to !chunk
    %chunk4 = tmem.subview %mem[0, %c128] [128, 32] : !acc to !chunk
    %chunk5 = tmem.subview %mem[0, %c160] [128, 32] : !acc to !chunk
    %chunk6 = tmem.subview %mem[0, %c192] [128, 32] : !acc to !chunk
    %chunk7 = tmem.subview %mem[0, %c224] [128, 32] : !acc to !chunk

    %pending0 = tmem.load %chunk0 scope(warpgroup) : !chunk -> !pending

    %v0 = tmem.wait_load %pending0 : !pending
    %pending1 = tmem.load %chunk1 scope(warpgroup) : !chunk -> !pending
    %left0 = vector.extract_strided_slice %v0
        {offsets = [0], sizes = [10], strides = [1]}
        : vector<32xf32> to vector<10xf32>
    %middle0 = vector.extract_strided_slice %v0
        {offsets = [10], sizes = [10], strides = [1]}
        : vector<32xf32> to vector<10xf32>
    %right0 = vector.extract_strided_slice %v0
        {offsets = [20], sizes = [10], strides = [1]}
        : vector<32xf32> to vector<10xf32>
    %two0 = arith.maximumf %left0, %middle0 : vector<10xf32>
    %ten0 = arith.maximumf %two0, %right0 : vector<10xf32>
    %e0:10 = vector.to_elements %ten0 : vector<10xf32>
    %y0 = vector.extract %v0[30] : f32 from vector<32xf32>
    %z0 = vector.extract %v0[31] : f32 from vector<32xf32>
    %p_0 = arith.maximumf %e0#0, %e0#1 : f32
    %p0 = arith.maximumf %p_0, %e0#2 : f32
    %q_0 = arith.maximumf %e0#3, %e0#4 : f32
    %q0 = arith.maximumf %q_0, %e0#5 : f32
    %r_0 = arith.maximumf %e0#6, %e0#7 : f32
    %r0 = arith.maximumf %r_0, %e0#8 : f32
    %s_0 = arith.maximumf %e0#9, %y0 : f32
    %s0 = arith.maximumf %s_0, %z0 : f32
    %t_0 = arith.maximumf %p0, %q0 : f32
    %t0 = arith.maximumf %t_0, %r0 : f32
    %max0 = arith.maximumf %t0, %s0 : f32

    %v1 = tmem.wait_load %pending1 : !pending
    %pending2 = tmem.load %chunk2 scope(warpgroup) : !chunk -> !pending
    %left1 = vector.extract_strided_slice %v1
        {offsets = [0], sizes = [10], strides = [1]}
        : vector<32xf32> to vector<10xf32>
    %middle1 = vector.extract_strided_slice %v1
        {offsets = [10], sizes = [10], strides = [1]}
        : vector<32xf32> to vector<10xf32>
    %right1 = vector.extract_strided_slice %v1
        {offsets = [20], sizes = [10], strides = [1]}
        : vector<32xf32> to vector<10xf32>
    %two1 = arith.maximumf %left1, %middle1 : vector<10xf32>
    %ten1 = arith.maximumf %two1, %right1 : vector<10xf32>
    %e1:10 = vector.to_elements %ten1 : vector<10xf32>
    %y1 = vector.extract %v1[30] : f32 from vector<32xf32>
    %z1 = vector.extract %v1[31] : f32 from vector<32xf32>
    %p_1 = arith.maximumf %e1#0, %e1#1 : f32
    %p1 = arith.maximumf %p_1, %e1#2 : f32
    %q_1 = arith.maximumf %e1#3, %e1#4 : f32
    %q1 = arith.maximumf %q_1, %e1#5 : f32
    %r_1 = arith.maximumf %e1#6, %e1#7 : f32
    %r1 = arith.maximumf %r_1, %e1#8 : f32
    %s_1 = arith.maximumf %e1#9, %y1 : f32
    %s1 = arith.maximumf %s_1, %z1 : f32
    %t_1 = arith.maximumf %p1, %q1 : f32
    %t1 = arith.maximumf %t_1, %r1 : f32
    %max_1 = arith.maximumf %t1, %s1 : f32
    %max1 = arith.maximumf %max_1, %max0 : f32

    %v2 = tmem.wait_load %pending2 : !pending
    %pending3 = tmem.load %chunk3 scope(warpgroup) : !chunk -> !pending
    %left2 = vector.extract_strided_slice %v2
        {offsets = [0], sizes = [10], strides = [1]}
        : vector<32xf32> to vector<10xf32>
    %middle2 = vector.extract_strided_slice %v2
        {offsets = [10], sizes = [10], strides = [1]}
        : vector<32xf32> to vector<10xf32>
    %right2 = vector.extract_strided_slice %v2
        {offsets = [20], sizes = [10], strides = [1]}
        : vector<32xf32> to vector<10xf32>
    %two2 = arith.maximumf %left2, %middle2 : vector<10xf32>
    %ten2 = arith.maximumf %two2, %right2 : vector<10xf32>
    %e2:10 = vector.to_elements %ten2 : vector<10xf32>
    %y2 = vector.extract %v2[30] : f32 from vector<32xf32>
    %z2 = vector.extract %v2[31] : f32 from vector<32xf32>
    %p_2 = arith.maximumf %e2#0, %e2#1 : f32
    %p2 = arith.maximumf %p_2, %e2#2 : f32
    %q_2 = arith.maximumf %e2#3, %e2#4 : f32
    %q2 = arith.maximumf %q_2, %e2#5 : f32
    %r_2 = arith.maximumf %e2#6, %e2#7 : f32
    %r2 = arith.maximumf %r_2, %e2#8 : f32
    %s_2 = arith.maximumf %e2#9, %y2 : f32
    %s2 = arith.maximumf %s_2, %z2 : f32
    %t_2 = arith.maximumf %p2, %q2 : f32
    %t2 = arith.maximumf %t_2, %r2 : f32
    %max_2 = arith.maximumf %t2, %s2 : f32
    %max2 = arith.maximumf %max_2, %max1 : f32

    %v3 = tmem.wait_load %pending3 : !pending
    %pending4 = tmem.load %chunk4 scope(warpgroup) : !chunk -> !pending
    %left3 = vector.extract_strided_slice %v3
        {offsets = [0], sizes = [10], strides = [1]}
        : vector<32xf32> to vector<10xf32>
    %middle3 = vector.extract_strided_slice %v3
        {offsets = [10], sizes = [10], strides = [1]}
        : vector<32xf32> to vector<10xf32>
    %right3 = vector.extract_strided_slice %v3
        {offsets = [20], sizes = [10], strides = [1]}
        : vector<32xf32> to vector<10xf32>
    %two3 = arith.maximumf %left3, %middle3 : vector<10xf32>
    %ten3 = arith.maximumf %two3, %right3 : vector<10xf32>
    %e3:10 = vector.to_elements %ten3 : vector<10xf32>
    %y3 = vector.extract %v3[30] : f32 from vector<32xf32>
    %z3 = vector.extract %v3[31] : f32 from vector<32xf32>
    %p_3 = arith.maximumf %e3#0, %e3#1 : f32
    %p3 = arith.maximumf %p_3, %e3#2 : f32
    %q_3 = arith.maximumf %e3#3, %e3#4 : f32
    %q3 = arith.maximumf %q_3, %e3#5 : f32
    %r_3 = arith.maximumf %e3#6, %e3#7 : f32
    %r3 = arith.maximumf %r_3, %e3#8 : f32
    %s_3 = arith.maximumf %e3#9, %y3 : f32
    %s3 = arith.maximumf %s_3, %z3 : f32
    %t_3 = arith.maximumf %p3, %q3 : f32
    %t3 = arith.maximumf %t_3, %r3 : f32
    %max_3 = arith.maximumf %t3, %s3 : f32
    %max3 = arith.maximumf %max_3, %max2 : f32

    %v4 = tmem.wait_load %pending4 : !pending
    %pending5 = tmem.load %chunk5 scope(warpgroup) : !chunk -> !pending
    %left4 = vector.extract_strided_slice %v4
        {offsets = [0], sizes = [10], strides = [1]}
        : vector<32xf32> to vector<10xf32>
    %middle4 = vector.extract_strided_slice %v4
        {offsets = [10], sizes = [10], strides = [1]}
        : vector<32xf32> to vector<10xf32>
    %right4 = vector.extract_strided_slice %v4
        {offsets = [20], sizes = [10], strides = [1]}
        : vector<32xf32> to vector<10xf32>
    %two4 = arith.maximumf %left4, %middle4 : vector<10xf32>
    %ten4 = arith.maximumf %two4, %right4 : vector<10xf32>
    %e4:10 = vector.to_elements %ten4 : vector<10xf32>
    %y4 = vector.extract %v4[30] : f32 from vector<32xf32>
    %z4 = vector.extract %v4[31] : f32 from vector<32xf32>
    %p_4 = arith.maximumf %e4#0, %e4#1 : f32
    %p4 = arith.maximumf %p_4, %e4#2 : f32
    %q_4 = arith.maximumf %e4#3, %e4#4 : f32
    %q4 = arith.maximumf %q_4, %e4#5 : f32
    %r_4 = arith.maximumf %e4#6, %e4#7 : f32
    %r4 = arith.maximumf %r_4, %e4#8 : f32
    %s_4 = arith.maximumf %e4#9, %y4 : f32
    %s4 = arith.maximumf %s_4, %z4 : f32
    %t_4 = arith.maximumf %p4, %q4 : f32
    %t4 = arith.maximumf %t_4, %r4 : f32
    %max_4 = arith.maximumf %t4, %s4 : f32
    %max4 = arith.maximumf %max_4, %max3 : f32

    %v5 = tmem.wait_load %pending5 : !pending
    %pending6 = tmem.load %chunk6 scope(warpgroup) : !chunk -> !pending
    %left5 = vector.extract_strided_slice %v5
        {offsets = [0], sizes = [10], strides = [1]}
        : vector<32xf32> to vector<10xf32>
    %middle5 = vector.extract_strided_slice %v5
        {offsets = [10], sizes = [10], strides = [1]}
        : vector<32xf32> to vector<10xf32>
    %right5 = vector.extract_strided_slice %v5
        {offsets = [20], sizes = [10], strides = [1]}
        : vector<32xf32> to vector<10xf32>
    %two5 = arith.maximumf %left5, %middle5 : vector<10xf32>
    %ten5 = arith.maximumf %two5, %right5 : vector<10xf32>
    %e5:10 = vector.to_elements %ten5 : vector<10xf32>
    %y5 = vector.extract %v5[30] : f32 from vector<32xf32>
    %z5 = vector.extract %v5[31] : f32 from vector<32xf32>
    %p_5 = arith.maximumf %e5#0, %e5#1 : f32
    %p5 = arith.maximumf %p_5, %e5#2 : f32
    %q_5 = arith.maximumf %e5#3, %e5#4 : f32
    %q5 = arith.maximumf %q_5, %e5#5 : f32
    %r_5 = arith.maximumf %e5#6, %e5#7 : f32
    %r5 = arith.maximumf %r_5, %e5#8 : f32
    %s_5 = arith.maximumf %e5#9, %y5 : f32
    %s5 = arith.maximumf %s_5, %z5 : f32
    %t_5 = arith.maximumf %p5, %q5 : f32
    %t5 = arith.maximumf %t_5, %r5 : f32
    %max_5 = arith.maximumf %t5, %s5 : f32
    %max5 = arith.maximumf %max_5, %max4 : f32

    %v6 = tmem.wait_load %pending6 : !pending
    %pending7 = tmem.load %chunk7 scope(warpgroup) : !chunk -> !pending
    %left6 = vector.extract_strided_slice %v6
        {offsets = [0], sizes = [10], strides = [1]}
        : vector<32xf32> to vector<10xf32>
    %middle6 = vector.extract_strided_slice %v6
        {offsets = [10], sizes = [10], strides = [1]}
        : vector<32xf32> to vector<10xf32>
    %right6 = vector.extract_strided_slice %v6
        {offsets = [20], sizes = [10], strides = [1]}
        : vector<32xf32> to vector<10xf32>
    %two6 = arith.maximumf %left6, %middle6 : vector<10xf32>
    %ten6 = arith.maximumf %two6, %right6 : vector<10xf32>
    %e6:10 = vector.to_elements %ten6 : vector<10xf32>
    %y6 = vector.extract %v6[30] : f32 from vector<32xf32>
    %z6 = vector.extract %v6[31] : f32 from vector<32xf32>
    %p_6 = arith.maximumf %e6#0, %e6#1 : f32
    %p6 = arith.maximumf %p_6, %e6#2 : f32
    %q_6 = arith.maximumf %e6#3, %e6#4 : f32
    %q6 = arith.maximumf %q_6, %e6#5 : f32
    %r_6 = arith.maximumf %e6#6, %e6#7 : f32
    %r6 = arith.maximumf %r_6, %e6#8 : f32
    %s_6 = arith.maximumf %e6#9, %y6 : f32
    %s6 = arith.maximumf %s_6, %z6 : f32
    %t_6 = arith.maximumf %p6, %q6 : f32
    %t6 = arith.maximumf %t_6, %r6 : f32
    %max_6 = arith.maximumf %t6, %s6 : f32
    %max6 = arith.maximumf %max_6, %max5 : f32

    %v7 = tmem.wait_load %pending7 : !pending
    %left7 = vector.extract_strided_slice %v7
        {offsets = [0], sizes = [10], strides = [1]}
        : vector<32xf32> to vector<10xf32>
    %middle7 = vector.extract_strided_slice %v7
        {offsets = [10], sizes = [10], strides = [1]}
        : vector<32xf32> to vector<10xf32>
    %right7 = vector.extract_strided_slice %v7
        {offsets = [20], sizes = [10], strides = [1]}
        : vector<32xf32> to vector<10xf32>
    %two7 = arith.maximumf %left7, %middle7 : vector<10xf32>
    %ten7 = arith.maximumf %two7, %right7 : vector<10xf32>
    %e7:10 = vector.to_elements %ten7 : vector<10xf32>
    %y7 = vector.extract %v7[30] : f32 from vector<32xf32>
    %z7 = vector.extract %v7[31] : f32 from vector<32xf32>
    %p_7 = arith.maximumf %e7#0, %e7#1 : f32
    %p7 = arith.maximumf %p_7, %e7#2 : f32
    %q_7 = arith.maximumf %e7#3, %e7#4 : f32
    %q7 = arith.maximumf %q_7, %e7#5 : f32
    %r_7 = arith.maximumf %e7#6, %e7#7 : f32
    %r7 = arith.maximumf %r_7, %e7#8 : f32
    %s_7 = arith.maximumf %e7#9, %y7 : f32
    %s7 = arith.maximumf %s_7, %z7 : f32
    %t_7 = arith.maximumf %p7, %q7 : f32
    %t7 = arith.maximumf %t_7, %r7 : f32
    %max_7 = arith.maximumf %t7, %s7 : f32
    %max7 = arith.maximumf %max_7, %max6 : f32

    memref.store %max7, %out[%tid] : memref<128xf32>
    gpu.return
  }
}
