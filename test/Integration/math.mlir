// The math functions of kernels, on values whose results are exact, and their fast
// forms to a few digits.

// RUN: tmem-run %s | FileCheck %s

// CHECK:      f32: ( 2, 8, 3, 0.5, 0, 1, 27, -3, -2, -2, 1, 5 )
// CHECK-NEXT: f64: ( 2, 8, 3, 0.5, 0, 1, 27, -3, -2, -2, 1, 5 )
// CHECK-NEXT: fast: ( 1.414{{[0-9]*}}, 2.718{{[0-9]*}}, 0.693{{[0-9]*}}, 0.479{{[0-9]*}}, 0.462{{[0-9]*}}, 0.523{{[0-9]*}} )
// CHECK-NEXT: f16: ( 2, 8, 3, 0.5 )

!f32s = memref<12xf32>
!f64s = memref<12xf64>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @f32(%four: f32, %out: !f32s) kernel {
      %zero = arith.constant 0.0 : f32
      %one = arith.constant 1.0 : f32
      %three = arith.constant 3.0 : f32
      %eight = arith.constant 8.0 : f32
      %minus = arith.constant -2.5 : f32
      %shift = arith.subf %four, %four : f32
      %m = arith.addf %minus, %shift : f32
      %e8 = arith.addf %eight, %shift : f32
      %z = arith.addf %zero, %shift : f32
      %t = arith.addf %three, %shift : f32
      %r0 = math.sqrt %four : f32
      %r1 = math.exp2 %t : f32
      %r2 = math.log2 %e8 : f32
      %r3 = math.rsqrt %four : f32
      %r4 = math.sin %z : f32
      %r5 = math.cos %z : f32
      %r6 = math.powf %t, %three : f32
      %r7 = math.floor %m : f32
      %r8 = math.ceil %m : f32
      %r9 = math.roundeven %m : f32
      %r10 = math.exp %z : f32
      %s = math.fma %four, %one, %one : f32
      %r11 = math.absf %s : f32
      %i0 = arith.constant 0 : index
      memref.store %r0, %out[%i0] : !f32s
      %i1 = arith.constant 1 : index
      memref.store %r1, %out[%i1] : !f32s
      %i2 = arith.constant 2 : index
      memref.store %r2, %out[%i2] : !f32s
      %i3 = arith.constant 3 : index
      memref.store %r3, %out[%i3] : !f32s
      %i4 = arith.constant 4 : index
      memref.store %r4, %out[%i4] : !f32s
      %i5 = arith.constant 5 : index
      memref.store %r5, %out[%i5] : !f32s
      %i6 = arith.constant 6 : index
      memref.store %r6, %out[%i6] : !f32s
      %i7 = arith.constant 7 : index
      memref.store %r7, %out[%i7] : !f32s
      %i8 = arith.constant 8 : index
      memref.store %r8, %out[%i8] : !f32s
      %i9 = arith.constant 9 : index
      memref.store %r9, %out[%i9] : !f32s
      %i10 = arith.constant 10 : index
      memref.store %r10, %out[%i10] : !f32s
      %i11 = arith.constant 11 : index
      memref.store %r11, %out[%i11] : !f32s
      gpu.return
    }

    gpu.func @f64(%four: f64, %out: !f64s) kernel {
      %zero = arith.constant 0.0 : f64
      %one = arith.constant 1.0 : f64
      %three = arith.constant 3.0 : f64
      %eight = arith.constant 8.0 : f64
      %minus = arith.constant -2.5 : f64
      %shift = arith.subf %four, %four : f64
      %m = arith.addf %minus, %shift : f64
      %e8 = arith.addf %eight, %shift : f64
      %z = arith.addf %zero, %shift : f64
      %t = arith.addf %three, %shift : f64
      %r0 = math.sqrt %four : f64
      %r1 = math.exp2 %t : f64
      %r2 = math.log2 %e8 : f64
      %r3 = math.rsqrt %four : f64
      %r4 = math.sin %z : f64
      %r5 = math.cos %z : f64
      %r6 = math.powf %t, %three : f64
      %r7 = math.floor %m : f64
      %r8 = math.ceil %m : f64
      %r9 = math.roundeven %m : f64
      %r10 = math.exp %z : f64
      %s = math.fma %four, %one, %one : f64
      %r11 = math.absf %s : f64
      %i0 = arith.constant 0 : index
      memref.store %r0, %out[%i0] : !f64s
      %i1 = arith.constant 1 : index
      memref.store %r1, %out[%i1] : !f64s
      %i2 = arith.constant 2 : index
      memref.store %r2, %out[%i2] : !f64s
      %i3 = arith.constant 3 : index
      memref.store %r3, %out[%i3] : !f64s
      %i4 = arith.constant 4 : index
      memref.store %r4, %out[%i4] : !f64s
      %i5 = arith.constant 5 : index
      memref.store %r5, %out[%i5] : !f64s
      %i6 = arith.constant 6 : index
      memref.store %r6, %out[%i6] : !f64s
      %i7 = arith.constant 7 : index
      memref.store %r7, %out[%i7] : !f64s
      %i8 = arith.constant 8 : index
      memref.store %r8, %out[%i8] : !f64s
      %i9 = arith.constant 9 : index
      memref.store %r9, %out[%i9] : !f64s
      %i10 = arith.constant 10 : index
      memref.store %r10, %out[%i10] : !f64s
      %i11 = arith.constant 11 : index
      memref.store %r11, %out[%i11] : !f64s
      gpu.return
    }

    gpu.func @fast(%two: f32, %out: !f32s) kernel {
      %half = arith.constant 0.5 : f32
      %one = arith.constant 1.0 : f32
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c5 = arith.constant 5 : index
      %r0 = math.sqrt %two fastmath<afn> : f32
      %e = arith.divf %two, %two : f32
      %r1 = math.exp %e fastmath<afn> : f32
      %r2 = math.log %two fastmath<afn> : f32
      %h = arith.divf %e, %two : f32
      %r3 = math.sin %h fastmath<afn> : f32
      %r4 = math.tanh %h fastmath<afn> : f32
      %r5 = math.asin %h : f32
      memref.store %r0, %out[%c0] : !f32s
      memref.store %r1, %out[%c1] : !f32s
      memref.store %r2, %out[%c2] : !f32s
      memref.store %r3, %out[%c3] : !f32s
      memref.store %r4, %out[%c4] : !f32s
      memref.store %r5, %out[%c5] : !f32s
      gpu.return
    }

    gpu.func @f16(%four: f16, %out: !f32s) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %one = arith.constant 1.0 : f16
      %r0 = math.sqrt %four : f16
      %r1 = arith.mulf %four, %r0 : f16
      %r2 = arith.subf %four, %one : f16
      %r3 = arith.divf %one, %r0 : f16
      %s0 = arith.extf %r0 : f16 to f32
      %s1 = arith.extf %r1 : f16 to f32
      %s2 = arith.extf %r2 : f16 to f32
      %s3 = arith.extf %r3 : f16 to f32
      memref.store %s0, %out[%c0] : !f32s
      memref.store %s1, %out[%c1] : !f32s
      memref.store %s2, %out[%c2] : !f32s
      memref.store %s3, %out[%c3] : !f32s
      gpu.return
    }
  }

  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %four = arith.constant 4.0 : f32
    %two = arith.constant 2.0 : f32
    %long = arith.constant 4.0 : f64
    %short = arith.constant 4.0 : f16
    %f32s = memref.alloc() : !f32s
    %f64s = memref.alloc() : !f64s
    %f32s_unranked = memref.cast %f32s : !f32s to memref<*xf32>
    %f64s_unranked = memref.cast %f64s : !f64s to memref<*xf64>
    gpu.host_register %f32s_unranked : memref<*xf32>
    gpu.host_register %f64s_unranked : memref<*xf64>

    gpu.launch_func @kernels::@f32 blocks in (%c1, %c1, %c1)
        threads in (%c1, %c1, %c1) args(%four : f32, %f32s : !f32s)
    vector.print str "f32: "
    %a = vector.load %f32s[%c0] : !f32s, vector<12xf32>
    vector.print %a : vector<12xf32>

    gpu.launch_func @kernels::@f64 blocks in (%c1, %c1, %c1)
        threads in (%c1, %c1, %c1) args(%long : f64, %f64s : !f64s)
    vector.print str "f64: "
    %b = vector.load %f64s[%c0] : !f64s, vector<12xf64>
    vector.print %b : vector<12xf64>

    gpu.launch_func @kernels::@fast blocks in (%c1, %c1, %c1)
        threads in (%c1, %c1, %c1) args(%two : f32, %f32s : !f32s)
    vector.print str "fast: "
    %c = vector.load %f32s[%c0] : !f32s, vector<6xf32>
    vector.print %c : vector<6xf32>

    gpu.launch_func @kernels::@f16 blocks in (%c1, %c1, %c1)
        threads in (%c1, %c1, %c1) args(%short : f16, %f32s : !f32s)
    vector.print str "f16: "
    %d = vector.load %f32s[%c0] : !f32s, vector<4xf32>
    vector.print %d : vector<4xf32>
    return
  }
}
