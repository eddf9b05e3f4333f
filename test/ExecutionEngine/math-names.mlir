// Each function of CUDA's libdevice that convert-gpu-to-nvvm calls is one that
// the library for the CPU exports.

// RUN: mlir-opt %s --pass-pipeline='builtin.module(gpu.module(convert-gpu-to-nvvm))' | %python %S/Inputs/check-exports.py %tmem_lib_dir/libtmem_emulation_runtime.so | FileCheck %s
// CHECK: 92 functions, missing: none

gpu.module @math {
  gpu.func @f32(%x: f32, %y: f32, %n: i32, %out: memref<?xf32>, %bits: memref<?xi1>) kernel {
    %c0 = arith.constant 0 : index
    %v0 = math.acos %x : f32
    memref.store %v0, %out[%c0] : memref<?xf32>
    %v1 = math.acosh %x : f32
    memref.store %v1, %out[%c0] : memref<?xf32>
    %v2 = math.asin %x : f32
    memref.store %v2, %out[%c0] : memref<?xf32>
    %v3 = math.asinh %x : f32
    memref.store %v3, %out[%c0] : memref<?xf32>
    %v4 = math.atan %x : f32
    memref.store %v4, %out[%c0] : memref<?xf32>
    %v5 = math.atanh %x : f32
    memref.store %v5, %out[%c0] : memref<?xf32>
    %v6 = math.cbrt %x : f32
    memref.store %v6, %out[%c0] : memref<?xf32>
    %v7 = math.ceil %x : f32
    memref.store %v7, %out[%c0] : memref<?xf32>
    %v8 = math.cos %x : f32
    memref.store %v8, %out[%c0] : memref<?xf32>
    %v9 = math.cosh %x : f32
    memref.store %v9, %out[%c0] : memref<?xf32>
    %v10 = math.erf %x : f32
    memref.store %v10, %out[%c0] : memref<?xf32>
    %v11 = math.erfc %x : f32
    memref.store %v11, %out[%c0] : memref<?xf32>
    %v12 = math.exp %x : f32
    memref.store %v12, %out[%c0] : memref<?xf32>
    %v13 = math.exp2 %x : f32
    memref.store %v13, %out[%c0] : memref<?xf32>
    %v14 = math.expm1 %x : f32
    memref.store %v14, %out[%c0] : memref<?xf32>
    %v15 = math.absf %x : f32
    memref.store %v15, %out[%c0] : memref<?xf32>
    %v16 = math.floor %x : f32
    memref.store %v16, %out[%c0] : memref<?xf32>
    %v17 = math.log %x : f32
    memref.store %v17, %out[%c0] : memref<?xf32>
    %v18 = math.log10 %x : f32
    memref.store %v18, %out[%c0] : memref<?xf32>
    %v19 = math.log1p %x : f32
    memref.store %v19, %out[%c0] : memref<?xf32>
    %v20 = math.log2 %x : f32
    memref.store %v20, %out[%c0] : memref<?xf32>
    %v21 = math.round %x : f32
    memref.store %v21, %out[%c0] : memref<?xf32>
    %v22 = math.roundeven %x : f32
    memref.store %v22, %out[%c0] : memref<?xf32>
    %v23 = math.rsqrt %x : f32
    memref.store %v23, %out[%c0] : memref<?xf32>
    %v24 = math.sin %x : f32
    memref.store %v24, %out[%c0] : memref<?xf32>
    %v25 = math.sinh %x : f32
    memref.store %v25, %out[%c0] : memref<?xf32>
    %v26 = math.sqrt %x : f32
    memref.store %v26, %out[%c0] : memref<?xf32>
    %v27 = math.tan %x : f32
    memref.store %v27, %out[%c0] : memref<?xf32>
    %v28 = math.tanh %x : f32
    memref.store %v28, %out[%c0] : memref<?xf32>
    %v29 = math.atan2 %x, %y : f32
    memref.store %v29, %out[%c0] : memref<?xf32>
    %v30 = math.copysign %x, %y : f32
    memref.store %v30, %out[%c0] : memref<?xf32>
    %v31 = math.powf %x, %y : f32
    memref.store %v31, %out[%c0] : memref<?xf32>
    %v32 = arith.maxnumf %x, %y : f32
    memref.store %v32, %out[%c0] : memref<?xf32>
    %v33 = arith.minnumf %x, %y : f32
    memref.store %v33, %out[%c0] : memref<?xf32>
    %v34 = arith.remf %x, %y : f32
    memref.store %v34, %out[%c0] : memref<?xf32>
    %v35 = math.fma %x, %y, %x : f32
    memref.store %v35, %out[%c0] : memref<?xf32>
    %v36 = math.fpowi %x, %n : f32, i32
    memref.store %v36, %out[%c0] : memref<?xf32>
    %s37, %c37 = math.sincos %x : f32
    memref.store %s37, %out[%c0] : memref<?xf32>
    memref.store %c37, %out[%c0] : memref<?xf32>
    %v38 = math.acos %x fastmath<afn> : f32
    memref.store %v38, %out[%c0] : memref<?xf32>
    %v39 = math.acosh %x fastmath<afn> : f32
    memref.store %v39, %out[%c0] : memref<?xf32>
    %v40 = math.asin %x fastmath<afn> : f32
    memref.store %v40, %out[%c0] : memref<?xf32>
    %v41 = math.asinh %x fastmath<afn> : f32
    memref.store %v41, %out[%c0] : memref<?xf32>
    %v42 = math.atan %x fastmath<afn> : f32
    memref.store %v42, %out[%c0] : memref<?xf32>
    %v43 = math.atanh %x fastmath<afn> : f32
    memref.store %v43, %out[%c0] : memref<?xf32>
    %v44 = math.cbrt %x fastmath<afn> : f32
    memref.store %v44, %out[%c0] : memref<?xf32>
    %v45 = math.ceil %x fastmath<afn> : f32
    memref.store %v45, %out[%c0] : memref<?xf32>
    %v46 = math.cos %x fastmath<afn> : f32
    memref.store %v46, %out[%c0] : memref<?xf32>
    %v47 = math.cosh %x fastmath<afn> : f32
    memref.store %v47, %out[%c0] : memref<?xf32>
    %v48 = math.erf %x fastmath<afn> : f32
    memref.store %v48, %out[%c0] : memref<?xf32>
    %v49 = math.erfc %x fastmath<afn> : f32
    memref.store %v49, %out[%c0] : memref<?xf32>
    %v50 = math.exp %x fastmath<afn> : f32
    memref.store %v50, %out[%c0] : memref<?xf32>
    %v51 = math.exp2 %x fastmath<afn> : f32
    memref.store %v51, %out[%c0] : memref<?xf32>
    %v52 = math.expm1 %x fastmath<afn> : f32
    memref.store %v52, %out[%c0] : memref<?xf32>
    %v53 = math.absf %x fastmath<afn> : f32
    memref.store %v53, %out[%c0] : memref<?xf32>
    %v54 = math.floor %x fastmath<afn> : f32
    memref.store %v54, %out[%c0] : memref<?xf32>
    %v55 = math.log %x fastmath<afn> : f32
    memref.store %v55, %out[%c0] : memref<?xf32>
    %v56 = math.log10 %x fastmath<afn> : f32
    memref.store %v56, %out[%c0] : memref<?xf32>
    %v57 = math.log1p %x fastmath<afn> : f32
    memref.store %v57, %out[%c0] : memref<?xf32>
    %v58 = math.log2 %x fastmath<afn> : f32
    memref.store %v58, %out[%c0] : memref<?xf32>
    %v59 = math.round %x fastmath<afn> : f32
    memref.store %v59, %out[%c0] : memref<?xf32>
    %v60 = math.roundeven %x fastmath<afn> : f32
    memref.store %v60, %out[%c0] : memref<?xf32>
    %v61 = math.rsqrt %x fastmath<afn> : f32
    memref.store %v61, %out[%c0] : memref<?xf32>
    %v62 = math.sin %x fastmath<afn> : f32
    memref.store %v62, %out[%c0] : memref<?xf32>
    %v63 = math.sinh %x fastmath<afn> : f32
    memref.store %v63, %out[%c0] : memref<?xf32>
    %v64 = math.sqrt %x fastmath<afn> : f32
    memref.store %v64, %out[%c0] : memref<?xf32>
    %v65 = math.tan %x fastmath<afn> : f32
    memref.store %v65, %out[%c0] : memref<?xf32>
    %v66 = math.tanh %x fastmath<afn> : f32
    memref.store %v66, %out[%c0] : memref<?xf32>
    %v67 = math.atan2 %x, %y fastmath<afn> : f32
    memref.store %v67, %out[%c0] : memref<?xf32>
    %v68 = math.copysign %x, %y fastmath<afn> : f32
    memref.store %v68, %out[%c0] : memref<?xf32>
    %v69 = math.powf %x, %y fastmath<afn> : f32
    memref.store %v69, %out[%c0] : memref<?xf32>
    %v70 = arith.maxnumf %x, %y fastmath<afn> : f32
    memref.store %v70, %out[%c0] : memref<?xf32>
    %v71 = arith.minnumf %x, %y fastmath<afn> : f32
    memref.store %v71, %out[%c0] : memref<?xf32>
    %v72 = arith.remf %x, %y fastmath<afn> : f32
    memref.store %v72, %out[%c0] : memref<?xf32>
    %v73 = math.fma %x, %y, %x fastmath<afn> : f32
    memref.store %v73, %out[%c0] : memref<?xf32>
    %v74 = math.fpowi %x, %n fastmath<afn> : f32, i32
    memref.store %v74, %out[%c0] : memref<?xf32>
    %s75, %c75 = math.sincos %x fastmath<afn> : f32
    memref.store %s75, %out[%c0] : memref<?xf32>
    memref.store %c75, %out[%c0] : memref<?xf32>
    %v76 = math.isfinite %x : f32
    memref.store %v76, %bits[%c0] : memref<?xi1>
    %v77 = math.isinf %x : f32
    memref.store %v77, %bits[%c0] : memref<?xi1>
    %v78 = math.isnan %x : f32
    memref.store %v78, %bits[%c0] : memref<?xi1>
    %v79 = math.absi %n : i32
    %w79 = arith.bitcast %v79 : i32 to f32
    memref.store %w79, %out[%c0] : memref<?xf32>
    gpu.return
  }
  gpu.func @f64(%x: f64, %y: f64, %n: i32, %out: memref<?xf64>, %bits: memref<?xi1>) kernel {
    %c0 = arith.constant 0 : index
    %v0 = math.acos %x : f64
    memref.store %v0, %out[%c0] : memref<?xf64>
    %v1 = math.acosh %x : f64
    memref.store %v1, %out[%c0] : memref<?xf64>
    %v2 = math.asin %x : f64
    memref.store %v2, %out[%c0] : memref<?xf64>
    %v3 = math.asinh %x : f64
    memref.store %v3, %out[%c0] : memref<?xf64>
    %v4 = math.atan %x : f64
    memref.store %v4, %out[%c0] : memref<?xf64>
    %v5 = math.atanh %x : f64
    memref.store %v5, %out[%c0] : memref<?xf64>
    %v6 = math.cbrt %x : f64
    memref.store %v6, %out[%c0] : memref<?xf64>
    %v7 = math.ceil %x : f64
    memref.store %v7, %out[%c0] : memref<?xf64>
    %v8 = math.cos %x : f64
    memref.store %v8, %out[%c0] : memref<?xf64>
    %v9 = math.cosh %x : f64
    memref.store %v9, %out[%c0] : memref<?xf64>
    %v10 = math.erf %x : f64
    memref.store %v10, %out[%c0] : memref<?xf64>
    %v11 = math.erfc %x : f64
    memref.store %v11, %out[%c0] : memref<?xf64>
    %v12 = math.exp %x : f64
    memref.store %v12, %out[%c0] : memref<?xf64>
    %v13 = math.exp2 %x : f64
    memref.store %v13, %out[%c0] : memref<?xf64>
    %v14 = math.expm1 %x : f64
    memref.store %v14, %out[%c0] : memref<?xf64>
    %v15 = math.absf %x : f64
    memref.store %v15, %out[%c0] : memref<?xf64>
    %v16 = math.floor %x : f64
    memref.store %v16, %out[%c0] : memref<?xf64>
    %v17 = math.log %x : f64
    memref.store %v17, %out[%c0] : memref<?xf64>
    %v18 = math.log10 %x : f64
    memref.store %v18, %out[%c0] : memref<?xf64>
    %v19 = math.log1p %x : f64
    memref.store %v19, %out[%c0] : memref<?xf64>
    %v20 = math.log2 %x : f64
    memref.store %v20, %out[%c0] : memref<?xf64>
    %v21 = math.round %x : f64
    memref.store %v21, %out[%c0] : memref<?xf64>
    %v22 = math.roundeven %x : f64
    memref.store %v22, %out[%c0] : memref<?xf64>
    %v23 = math.rsqrt %x : f64
    memref.store %v23, %out[%c0] : memref<?xf64>
    %v24 = math.sin %x : f64
    memref.store %v24, %out[%c0] : memref<?xf64>
    %v25 = math.sinh %x : f64
    memref.store %v25, %out[%c0] : memref<?xf64>
    %v26 = math.sqrt %x : f64
    memref.store %v26, %out[%c0] : memref<?xf64>
    %v27 = math.tan %x : f64
    memref.store %v27, %out[%c0] : memref<?xf64>
    %v28 = math.tanh %x : f64
    memref.store %v28, %out[%c0] : memref<?xf64>
    %v29 = math.atan2 %x, %y : f64
    memref.store %v29, %out[%c0] : memref<?xf64>
    %v30 = math.copysign %x, %y : f64
    memref.store %v30, %out[%c0] : memref<?xf64>
    %v31 = math.powf %x, %y : f64
    memref.store %v31, %out[%c0] : memref<?xf64>
    %v32 = arith.maxnumf %x, %y : f64
    memref.store %v32, %out[%c0] : memref<?xf64>
    %v33 = arith.minnumf %x, %y : f64
    memref.store %v33, %out[%c0] : memref<?xf64>
    %v34 = arith.remf %x, %y : f64
    memref.store %v34, %out[%c0] : memref<?xf64>
    %v35 = math.fma %x, %y, %x : f64
    memref.store %v35, %out[%c0] : memref<?xf64>
    %v36 = math.fpowi %x, %n : f64, i32
    memref.store %v36, %out[%c0] : memref<?xf64>
    %s37, %c37 = math.sincos %x : f64
    memref.store %s37, %out[%c0] : memref<?xf64>
    memref.store %c37, %out[%c0] : memref<?xf64>
    %v38 = math.isfinite %x : f64
    memref.store %v38, %bits[%c0] : memref<?xi1>
    %v39 = math.isinf %x : f64
    memref.store %v39, %bits[%c0] : memref<?xi1>
    %v40 = math.isnan %x : f64
    memref.store %v40, %bits[%c0] : memref<?xi1>
    gpu.return
  }
}
