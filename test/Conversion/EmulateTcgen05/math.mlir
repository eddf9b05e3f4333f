// RUN: tmem-opt %s --emulate-tcgen05 | FileCheck %s

// Approximate instructions compute what they approximate.

gpu.module @kernels {
  // CHECK-LABEL: @__tmem_emu_kernels_floats(
  // CHECK-SAME: %{{.*}}, %[[X:[^:]*]]: f32, %[[Y:[^:]*]]: f32)
  // CHECK: llvm.intr.exp2(%[[X]])
  // CHECK: llvm.intr.log2(%[[X]])
  // CHECK: llvm.intr.sin(%[[X]])
  // CHECK: %[[ROOT:.*]] = llvm.intr.sqrt(%[[X]])
  // CHECK: %[[ONE:.*]] = llvm.mlir.constant(1.000000e+00 : f32) : f32
  // CHECK: llvm.fdiv %[[ONE]], %[[ROOT]]
  // CHECK: llvm.intr.fma(%[[X]], %[[Y]], %[[X]])
  // CHECK: llvm.fdiv %[[X]], %[[Y]]
  // CHECK: %[[FLUSHED:.*]] = llvm.select %{{.*}}, %{{.*}}, %[[X]] : i1, f32
  // CHECK: llvm.fdiv %{{.*}}, %[[FLUSHED]]
  llvm.func @floats(%x: f32, %y: f32) attributes {gpu.kernel} {
    %a = llvm.call_intrinsic "llvm.nvvm.ex2.approx.f32"(%x) : (f32) -> f32
    %b = llvm.call_intrinsic "llvm.nvvm.lg2.approx.f"(%x) : (f32) -> f32
    %c = llvm.call_intrinsic "llvm.nvvm.sin.approx.f"(%x) : (f32) -> f32
    %d = llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.f"(%x) : (f32) -> f32
    %e = llvm.call_intrinsic "llvm.nvvm.fma.rn.f"(%x, %y, %x) : (f32, f32, f32) -> f32
    %f = llvm.call_intrinsic "llvm.nvvm.div.approx.f"(%x, %y) : (f32, f32) -> f32
    %g = nvvm.rcp.approx.ftz.f %x : f32
    llvm.return
  }

  // Subnormal numbers become zeros of their sign, before and after.

  // CHECK-LABEL: @__tmem_emu_kernels_flush(
  // CHECK-SAME: %{{.*}}, %[[X:[^:]*]]: f32)
  // CHECK: %[[SIZE:.*]] = llvm.intr.fabs(%[[X]])
  // CHECK: %[[LIMIT:.*]] = llvm.mlir.constant(1.17549435E-38 : f32) : f32
  // CHECK: %[[TINY:.*]] = llvm.fcmp "olt" %[[SIZE]], %[[LIMIT]]
  // CHECK: %[[ZERO:.*]] = llvm.intr.copysign(%{{.*}}, %[[X]])
  // CHECK: %[[IN:.*]] = llvm.select %[[TINY]], %[[ZERO]], %[[X]]
  // CHECK: %[[OUT:.*]] = llvm.intr.exp2(%[[IN]])
  // CHECK: llvm.intr.fabs(%[[OUT]])
  llvm.func @flush(%x: f32) attributes {gpu.kernel} {
    %a = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"(%x) : (f32) -> f32
    llvm.return
  }

  // A number wins over NaN, but with .nan.

  // CHECK-LABEL: @__tmem_emu_kernels_extrema(
  // CHECK-SAME: %{{.*}}, %[[X:[^:]*]]: f32, %[[Y:[^:]*]]: f32)
  // CHECK: %[[LESS:.*]] = llvm.intr.minimum(%[[X]], %[[Y]])
  // CHECK: %[[NAN:.*]] = llvm.fcmp "uno" %[[Y]], %[[Y]]
  // CHECK: llvm.select %[[NAN]], %[[X]], %[[LESS]]
  // CHECK: llvm.intr.maximum(%[[X]], %[[Y]])
  // CHECK-NOT: fcmp
  // CHECK: llvm.return
  llvm.func @extrema(%x: f32, %y: f32) attributes {gpu.kernel} {
    %a = llvm.call_intrinsic "llvm.nvvm.fmin.f"(%x, %y) : (f32, f32) -> f32
    %b = llvm.call_intrinsic "llvm.nvvm.fmax.nan.f"(%x, %y) : (f32, f32) -> f32
    llvm.return
  }

  // CHECK-LABEL: @__tmem_emu_kernels_conversions(
  // CHECK-SAME: %{{.*}}, %[[X:[^:]*]]: f32, %[[Y:[^:]*]]: f32, %[[I:[^:]*]]: i32)
  // CHECK: %[[LOW:.*]] = llvm.fptrunc %[[Y]] : f32 to bf16
  // CHECK: llvm.insertelement %[[LOW]]
  // CHECK: llvm.fptrunc %[[X]] : f32 to bf16
  // CHECK: llvm.fptrunc %[[Y]] : f32 to f16
  // CHECK: llvm.fptrunc %[[X]] : f32 to f16
  // CHECK: llvm.uitofp %[[I]] : i32 to f32
  // CHECK: %[[ROUNDED:.*]] = llvm.intr.roundeven(%[[X]])
  // CHECK: llvm.call_intrinsic "llvm.fptosi.sat"(%[[ROUNDED]]) : (f32) -> i32
  llvm.func @conversions(%x: f32, %y: f32, %i: i32) attributes {gpu.kernel} {
    %a = nvvm.convert.f32x2.to.bf16x2 %x, %y {rnd = #nvvm.fp_rnd_mode<rn>} : vector<2xbf16>
    %b = llvm.call_intrinsic "llvm.nvvm.ff2f16x2.rn"(%x, %y) : (f32, f32) -> vector<2xf16>
    %c = llvm.call_intrinsic "llvm.nvvm.ui2f.rn"(%i) : (i32) -> f32
    %d = llvm.call_intrinsic "llvm.nvvm.f2i.rn"(%x) : (f32) -> i32
    llvm.return
  }

  // Half of the last bit that stays is 0x1000.

  // CHECK-LABEL: @__tmem_emu_kernels_tf32(
  // CHECK-DAG: %[[HALF:.*]] = llvm.mlir.constant(4096 : i32) : i32
  // CHECK-DAG: %[[KEPT:.*]] = llvm.mlir.constant(-8192 : i32) : i32
  // CHECK: %[[BITS:.*]] = llvm.bitcast %{{.*}} : f32 to i32
  // CHECK: %[[SUM:.*]] = llvm.add %[[BITS]], %[[HALF]]
  // CHECK: llvm.and %[[SUM]], %[[KEPT]]
  llvm.func @tf32(%x: f32) attributes {gpu.kernel} {
    %a = nvvm.convert.float.to.tf32 %x {rnd = #nvvm.fp_rnd_mode<rna>}
    llvm.return
  }

  // CHECK-LABEL: @__tmem_emu_kernels_integers(
  // CHECK-SAME: %{{.*}}, %[[A:[^:]*]]: i32, %[[B:[^:]*]]: i32, %[[C:[^:]*]]: i32)
  // CHECK: llvm.sext %[[A]] : i32 to i64
  // CHECK: %[[P:.*]] = llvm.mul %{{.*}}, %{{.*}} : i64
  // CHECK: llvm.lshr %[[P]],
  // CHECK: llvm.intr.umax(%[[A]], %[[B]])
  // CHECK: llvm.intr.umin(%[[A]], %[[B]])
  // CHECK-COUNT-4: llvm.mul
  // CHECK: llvm.zext %[[A]] : i32 to i64
  // CHECK: llvm.shl
  // CHECK: llvm.intr.umin(%[[C]],
  llvm.func @integers(%a: i32, %b: i32, %c: i32) attributes {gpu.kernel} {
    %h = llvm.call_intrinsic "llvm.nvvm.mulhi.i"(%a, %b) : (i32, i32) -> i32
    %s = llvm.call_intrinsic "llvm.nvvm.sad.ui"(%a, %b, %c) : (i32, i32, i32) -> i32
    %d = llvm.call_intrinsic "llvm.nvvm.idp4a.s.u"(%a, %b, %c) : (i32, i32, i32) -> i32
    %f = llvm.call_intrinsic "llvm.nvvm.fshl.clamp"(%a, %b, %c) : (i32, i32, i32) -> i32
    llvm.return
  }
}
