// RUN: tmem-opt %s --tmem-assemble=format=isa -split-input-file -verify-diagnostics

// A register that is read between its load and the wait.

// expected-error @below {{'gpu.binary' op @early_read: expected no register to be used between its tcgen05.ld and the wait, but line 4: register %r1 is read before its wait (loaded at line 4) in 'k'}}
// expected-note @below {{PTX line 4: tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r1}, [%r0]}}
// expected-note @below {{PTX line 4: mov.b32 %r2, %r1}}
gpu.binary @early_read [#gpu.object<#nvvm.target<chip = "sm_100a">, assembly = ".version 8.8\0A.target sm_100a\0A.address_size 64\0A.visible .entry k() { .reg .b32 %r<3>; tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r1}, [%r0]; mov.b32 %r2, %r1; tcgen05.wait::ld.sync.aligned; ret; }">]

// -----

// On one of two paths, and not alone.

// expected-error @below {{but line 8: register %r1 is read before its wait (loaded at line 5) in 'k'}}
// expected-note @below {{PTX line 5: tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r1, %r2}, [%r0]}}
// expected-note @below {{PTX line 8: mov.b32 %r3, %r1, and 1 more such use}}
gpu.binary @on_one_path [#gpu.object<#nvvm.target<chip = "sm_100a">, assembly = ".version 8.8\0A.target sm_100a\0A.address_size 64\0A.visible .entry k() { .reg .b32 %r<5>; .reg .pred %p<2>;\0Atcgen05.ld.sync.aligned.32x32b.x2.b32 {%r1, %r2}, [%r0]; @%p1 bra $L;\0Atcgen05.wait::ld.sync.aligned;\0A$L:\0Amov.b32 %r3, %r1;\0Amov.b32 %r4, %r2; ret; }">]

// -----

// The second object, the second function.

// expected-error @below {{'gpu.binary' op @second: expected no register to be used between its tcgen05.ld and the wait, but line 5: register %r1 is read before its wait (loaded at line 5) in 'second'}}
// expected-note @below {{PTX line 5: tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r1}, [%r0]}}
// expected-note @below {{PTX line 5: mov.b32 %r2, %r1}}
gpu.binary @second [#gpu.object<#nvvm.target<chip = "sm_100a">, assembly = ".version 8.8\0A.target sm_100a\0A.address_size 64\0A.visible .entry first() { ret; }">, #gpu.object<#nvvm.target<chip = "sm_103a">, assembly = ".version 8.8\0A.target sm_103a\0A.address_size 64\0A.visible .entry first() { ret; }\0A.visible .entry second() { .reg .b32 %r<3>; tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r1}, [%r0]; mov.b32 %r2, %r1; tcgen05.wait::ld.sync.aligned; ret; }">]

// -----

// expected-error @below {{'gpu.binary' op @no_ptx: expected PTX, but got text that does not parse: line 1: expected a directive, but got 'this'}}
gpu.binary @no_ptx [#gpu.object<#nvvm.target<chip = "sm_100a">, assembly = "this is no PTX">]

// -----

// Two stores whose cells are loaded.

// expected-error @below {{'gpu.binary' op @store_order: expected a tcgen05.wait::st between a tcgen05.st and a load of its cells, but line 6: cells are loaded before the wait of their store (stored at line 5) in 'k'}}
// expected-note @below {{PTX line 5: tcgen05.st.sync.aligned.32x32b.x1.b32 [%r0], {%r1}}}
// expected-note @below {{PTX line 6: tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r2}, [%r0]}}
// expected-note @below {{and 1 more loads or stores with such uses}}
gpu.binary @store_order [#gpu.object<#nvvm.target<chip = "sm_100a">, assembly = ".version 8.8\0A.target sm_100a\0A.address_size 64\0A.visible .entry k() { .reg .b32 %r<5>;\0Atcgen05.st.sync.aligned.32x32b.x1.b32 [%r0], {%r1};\0Atcgen05.ld.sync.aligned.32x32b.x1.b32 {%r2}, [%r0];\0Atcgen05.st.sync.aligned.32x32b.x1.b32 [%r0+4], {%r1};\0Atcgen05.ld.sync.aligned.32x32b.x1.b32 {%r3}, [%r0+4]; tcgen05.wait::ld.sync.aligned; ret; }">]
