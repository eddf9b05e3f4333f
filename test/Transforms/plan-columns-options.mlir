// Budgets: what others have, two CTAs to an SM, exclusive sizes, pairs of CTAs.

// RUN: tmem-opt %s --tmem-plan-columns=columns=256 | FileCheck %s --check-prefix=PLAIN
// RUN: tmem-opt %s "--tmem-plan-columns=columns=512 reserved=256" | FileCheck %s --check-prefix=PLAIN
// RUN: tmem-opt %s --tmem-plan-columns=exclusive | FileCheck %s --check-prefix=EXCLUSIVE
// RUN: tmem-opt %s --tmem-plan-columns=cta-group=2 | FileCheck %s --check-prefix=PAIR
// RUN: not tmem-opt %s "--tmem-plan-columns=columns=256 reserved=1" -o %t.none 2>&1 | FileCheck %s --check-prefix=OVER
// RUN: not ls %t.none
// RUN: not tmem-opt %s --tmem-plan-columns=columns=577 2>&1 | FileCheck %s --check-prefix=COLUMNS
// RUN: not tmem-opt %s --tmem-plan-columns=columns=31 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: not tmem-opt %s --tmem-plan-columns=columns=33 2>&1 | FileCheck %s --check-prefix=ODD
// RUN: not tmem-opt %s "--tmem-plan-columns=columns=159 exclusive" 2>&1 | FileCheck %s --check-prefix=ODD-EXCLUSIVE
// RUN: tmem-opt %s --tmem-plan-columns=columns=257 | FileCheck %s --check-prefix=PLAIN
// RUN: not tmem-opt %s "--tmem-plan-columns=columns=512 reserved=511" 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not tmem-opt %s "--tmem-plan-columns=columns=64 reserved=65" 2>&1 | FileCheck %s --check-prefix=RESERVED
// RUN: not tmem-opt %s --tmem-plan-columns=cta-group=3 2>&1 | FileCheck %s --check-prefix=GROUP

// PLAIN: tmem.alloc %{{.*}}, 256 :
// PLAIN: tmem.dealloc %{{.*}}, 256{{$}}

// EXCLUSIVE: tmem.alloc exclusive %{{.*}}, 160 :
// EXCLUSIVE: tmem.dealloc exclusive %{{.*}}, 160{{$}}

// Neither CTA frees before the other one has got its columns.
// PAIR: tmem.alloc %{{.*}}, 256 cta_group(2)
// PAIR: tmem.relinquish_alloc_permit cta_group(2)
// PAIR: gpu.barrier
// PAIR-NEXT: nvvm.cluster.arrive
// PAIR-NEXT: nvvm.cluster.wait
// PAIR: tmem.store
// PAIR: gpu.barrier
// PAIR-NEXT: nvvm.cluster.arrive
// PAIR-NEXT: nvvm.cluster.wait
// PAIR: tmem.dealloc %{{.*}}, 256 cta_group(2)

// 255 columns are left, and the largest allocation within them has 128.
// OVER: 'tmem.store' op expected the buffers that live here to take at most 128 columns, but got 136: 8 too many
// OVER: note: rule B3:
// OVER: note: 255 columns are left, and an allocation has a power of two from 32 to 512
// OVER: note: of 136 columns, lives there

// Others may leave any number, of which an allocation takes what it can.
// FEW: error: expected 32 to 576 columns, but got 31
// ODD: take at most 32 columns, but got 136: 104 too many
// ODD: note: 33 columns are left, and an allocation has a power of two from 32 to 512
// ODD-EXCLUSIVE: take at most 128 columns, but got 136: 8 too many
// ODD-EXCLUSIVE: note: 159 columns are left, and an allocation has a multiple of 32
// NONE: 'tmem.store' op expected an allocation for the buffers that live here, but got none
// NONE: note: rule B3:
// NONE: note: 1 column is left, and an allocation has a power of two from 32 to 512

// COLUMNS: error: expected 32 to 576 columns, but got 577
// RESERVED: error: expected at most 64 reserved columns, but got 65
// GROUP: error: expected the cta-group 1 or 2, but got 3

!acc = !tmem.view<128x136xf32, #tmem.datapath<D>>
!vec = vector<136xf32>
gpu.module @kernels {
  gpu.func @kernel(%x: !vec) kernel {
    %a = tmem.buffer : !acc
    %t = tmem.store %x, %a scope(warpgroup) : !vec, !acc
    tmem.wait_store %t
    gpu.return
  }
}
