// What stands in the PTX of the round trip, on the way to every chip.

// RUN: tmem-opt %tmem_src_root/examples/roundtrip.mlir --pass-pipeline='builtin.module(tmem-to-cubin{format=isa})' | %python %tmem_src_root/utils/ptx-of.py -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx
// RUN: tmem-ptx-lint --summary %t.ptx | FileCheck %s --check-prefix=COUNT

// RUN: tmem-opt %tmem_src_root/examples/roundtrip.mlir --pass-pipeline='builtin.module(tmem-to-cubin{format=isa chip=sm_100f})' | %python %tmem_src_root/utils/ptx-of.py | FileCheck %s --check-prefix=HEAD -DVERSION=8.8 -DCHIP=sm_100f
// RUN: tmem-opt %tmem_src_root/examples/roundtrip.mlir --pass-pipeline='builtin.module(tmem-to-cubin{format=isa chip=sm_103a})' | %python %tmem_src_root/utils/ptx-of.py | FileCheck %s --check-prefix=HEAD -DVERSION=8.8 -DCHIP=sm_103a
// RUN: tmem-opt %tmem_src_root/examples/roundtrip.mlir --pass-pipeline='builtin.module(tmem-to-cubin{format=isa chip=sm_103f})' | %python %tmem_src_root/utils/ptx-of.py | FileCheck %s --check-prefix=HEAD -DVERSION=8.8 -DCHIP=sm_103f
// RUN: tmem-opt %tmem_src_root/examples/roundtrip.mlir --pass-pipeline='builtin.module(tmem-to-cubin{format=isa chip=sm_107a})' | %python %tmem_src_root/utils/ptx-of.py | FileCheck %s --check-prefix=HEAD -DVERSION=9.4 -DCHIP=sm_107a
// RUN: tmem-opt %tmem_src_root/examples/roundtrip.mlir --pass-pipeline='builtin.module(tmem-to-cubin{format=isa chip=sm_107f})' | %python %tmem_src_root/utils/ptx-of.py | FileCheck %s --check-prefix=HEAD -DVERSION=9.4 -DCHIP=sm_107f
// RUN: tmem-opt %tmem_src_root/examples/roundtrip.mlir --pass-pipeline='builtin.module(tmem-to-cubin{format=isa chip=sm_110a})' | %python %tmem_src_root/utils/ptx-of.py | FileCheck %s --check-prefix=HEAD -DVERSION=9.0 -DCHIP=sm_110a
// RUN: tmem-opt %tmem_src_root/examples/roundtrip.mlir --pass-pipeline='builtin.module(tmem-to-cubin{format=isa chip=sm_110f})' | %python %tmem_src_root/utils/ptx-of.py | FileCheck %s --check-prefix=HEAD -DVERSION=9.0 -DCHIP=sm_110f

// The slab term is computed once, from tid.x alone, and not added where memory
// is freed. Global memory is moved 32 bytes at a time.

// CHECK: .version 8.8
// CHECK: .target sm_100a
// CHECK: mov.u32 %[[TID:r[0-9]+]], %tid.x;
// CHECK-NOT: %{{n?tid}}
// CHECK: shl.b32 %[[SHIFTED:r[0-9]+]], %[[TID]], 16;
// CHECK: and.b32 %[[SLAB:r[0-9]+]], %[[SHIFTED]], 6291456;
// CHECK: ld.shared.b32 %[[BASE:r[0-9]+]],
// CHECK-COUNT-8: ld.global.v8.b32
// CHECK: add.s32 %[[ADDRESS:r[0-9]+]], %[[BASE]], %[[SLAB]];
// CHECK: tcgen05.st.sync.aligned.32x32b.x64.b32 [%[[ADDRESS]]],
// CHECK: tcgen05.wait::st.sync.aligned;
// CHECK: bar.sync
// CHECK: tcgen05.ld.sync.aligned.32x32b.x64.b32 {{.*}}, [%[[ADDRESS]]];
// CHECK: tcgen05.wait::ld.sync.aligned;
// CHECK-COUNT-8: st.global.v8.b32
// CHECK-NOT: 6291456
// CHECK: tcgen05.dealloc.cta_group::1.sync.aligned.b32 %[[BASE]],

// COUNT: kernel 'roundtrip'
// COUNT-NEXT: 1 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32
// COUNT-NEXT: 1 tcgen05.dealloc.cta_group::1.sync.aligned.b32
// COUNT-NEXT: 1 tcgen05.ld.sync.aligned.32x32b.x64.b32
// COUNT-NEXT: 1 tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned
// COUNT-NEXT: 1 tcgen05.st.sync.aligned.32x32b.x64.b32
// COUNT-NEXT: 1 tcgen05.wait::ld.sync.aligned
// COUNT-NEXT: 1 tcgen05.wait::st.sync.aligned
// COUNT-NOT: {{.}}

// HEAD: .version [[VERSION]]
// HEAD: .target [[CHIP]]{{$}}
