// What ptxas refuses.

// REQUIRES: ptxas
// RUN: tmem-opt %s --tmem-assemble -split-input-file -verify-diagnostics

// expected-error @below {{'gpu.binary' op @unknown_chip: expected a ptxas that knows sm_999a, but got version}}
gpu.binary @unknown_chip [#gpu.object<#nvvm.target<chip = "sm_999a">, assembly = ".version 8.8\0A.target sm_999a\0A.address_size 64\0A.visible .entry k() { ret; }">]

// -----

// expected-error-re @below {{'gpu.binary' op @bad_instruction: ptxas {{[0-9.]+}} failed for sm_100a:{{.*}}}}
gpu.binary @bad_instruction [#gpu.object<#nvvm.target<chip = "sm_100a">, assembly = ".version 8.8\0A.target sm_100a\0A.address_size 64\0A.visible .entry k() { no.such.instruction; ret; }">]

// -----

// The text is for another chip than the object says.

// expected-error-re @below {{'gpu.binary' op @other_chip: ptxas {{[0-9.]+}} failed for sm_100a:{{.*}}}}
gpu.binary @other_chip [#gpu.object<#nvvm.target<chip = "sm_100a">, assembly = ".version 8.8\0A.target sm_103a\0A.address_size 64\0A.visible .entry k() { ret; }">]
