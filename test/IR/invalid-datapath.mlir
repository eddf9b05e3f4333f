// RUN: tmem-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{expected a tile of 128 rows and some columns for datapath A, but got the shape 64x128}}
// expected-note @below {{rule D1: }}
!D1_half_the_rows = !tmem.view<64x128xf32, #tmem.datapath<A>>

// -----

// expected-error @below {{expected a tile of 64 rows and some columns for datapath B, but got the shape 128x64}}
// expected-note @below {{rule D1: }}
!D1_physical_shape = !tmem.view<128x64xf32, #tmem.datapath<B>>

// -----

// expected-error @below {{expected a tile of 32 rows and some columns for datapath G, but got the shape 64x64}}
// expected-note @below {{rule D1: }}
!D1_rows_of_g = !tmem.view<64x64xf32, #tmem.datapath<G>>

// -----

// expected-error @below {{for datapath D, but got the shape 128}}
// expected-note @below {{rule D1: }}
!D1_one_dimension = !tmem.view<128xf32, #tmem.datapath<D>>

// -----

// expected-error @below {{for datapath F, but got the shape 1x64x16}}
// expected-note @below {{rule D1: }}
!D1_three_dimensions = !tmem.view<1x64x16xf32, #tmem.datapath<F>>

// -----

// expected-error @below {{expected a multiple of 2 columns for datapath B, but got 63}}
// expected-note @below {{rule D2: }}
!D2_odd_columns = !tmem.view<64x63xf32, #tmem.datapath<B>>

// -----

// expected-error @below {{expected a multiple of 2 columns for datapath E, but got 1}}
// expected-note @below {{rule D2: }}
!D2_one_column = !tmem.view<64x1xf32, #tmem.datapath<E>>

// -----

// expected-error @below {{expected a multiple of 4 columns for datapath G, but got 6}}
// expected-note @below {{rule D2: }}
!D2_no_multiple_of_four = !tmem.view<32x6xf32, #tmem.datapath<G>>

// -----

// expected-error @below {{expected the half 0 or 1 for datapath F, but got 2}}
// expected-note @below {{rule D3: }}
#D3_third_half = #tmem.datapath<F, half = 2>

// -----

// expected-error @below {{expected the half 0 or 1 for datapath C, but got -1}}
// expected-note @below {{rule D3: }}
#D3_negative_half = #tmem.datapath<C, half = -1>

// -----

// expected-error @below {{expected no half for datapath B, but got 1}}
// expected-note @below {{rule D3: }}
#D3_half_of_all_lanes = #tmem.datapath<B, half = 1>

// -----

// expected-error @below {{expected elements of 16 or 32 bits for datapath D, but got 64}}
// expected-note @below {{rule D4: }}
!D4_64_bits = !tmem.view<128x16xf64, #tmem.datapath<D>>

// -----

// expected-error @below {{expected elements of 16 or 32 bits for datapath F, but got 8}}
// expected-note @below {{rule D4: }}
!D4_8_bits = !tmem.view<64x16xi8, #tmem.datapath<F>>

// -----

// 16-bit accumulators take a cell each: no more than 32-bit ones fit.
// expected-error @below {{but got 1152 for element (0, 576)}}
// expected-note @below {{rule V5: }}
!V5_16_bits_per_cell = !tmem.view<128x577xf16, #tmem.datapath<D>>

// -----

// expected-error @below {{expected a tile of less than 2^31 elements, but got 128x4611686018427387904}}
// expected-note @below {{rule L3: }}
!L3_huge_datapath = !tmem.view<128x4611686018427387904xf32, #tmem.datapath<A>>
