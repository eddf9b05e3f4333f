// Clusters: ranks and special registers, shared memory of other blocks by pointers of
// both spaces, atomics, mbarriers of other blocks, in C-like and in inline PTX.

// RUN: tmem-run %s | FileCheck %s
// RUN: tmem-run %s --host-threads=3 --race --seeds=4 | FileCheck %s

// CHECK:      reversed in clusters of 1x1: 0 wrong
// CHECK-NEXT: reversed in clusters of 2x1: 0 wrong
// CHECK-NEXT: reversed in clusters of 2x2: 0 wrong
// CHECK-NEXT: reversed in clusters of 4x1: 0 wrong
// CHECK-NEXT: reversed in clusters of 8x2: 0 wrong
// CHECK-NEXT: reversed in clusters of the kernel: 0 wrong
// CHECK-NEXT: gathered in clusters of 2: 0 wrong
// CHECK-NEXT: gathered in clusters of 4: 0 wrong
// CHECK-NEXT: gathered in clusters of 16: 0 wrong

!out = memref<?xi32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.mlir.global internal @data() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<1024 x i32>
    llvm.mlir.global internal @total() {addr_space = 3 : i32} : i32
    llvm.mlir.global internal @full() {addr_space = 3 : i32} : i64

    func.func @sync() {
      nvvm.cluster.arrive {aligned}
      nvvm.cluster.wait {aligned}
      return
    }

    // The rank of the block, from its place in the cluster; -1 unless all registers
    // agree.
    func.func @rank() -> i32 {
      %x = gpu.cluster_block_id x
      %y = gpu.cluster_block_id y
      %nx = gpu.cluster_dim_blocks x
      %ny = gpu.cluster_dim_blocks y
      %a = arith.muli %y, %nx : index
      %b = arith.addi %a, %x : index
      %counted = arith.index_cast %b : index to i32
      %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
      %is_rank = arith.cmpi eq, %counted, %rank : i32

      %n = arith.muli %nx, %ny : index
      %n_counted = arith.index_cast %n : index to i32
      %n_rank = nvvm.read.ptx.sreg.cluster.nctarank : i32
      %is_n = arith.cmpi eq, %n_counted, %n_rank : i32

      // %ctaid = %clusterid * %cluster_nctaid + %cluster_ctaid
      %block = gpu.block_id x
      %cluster = gpu.cluster_id x
      %c = arith.muli %cluster, %nx : index
      %d = arith.addi %c, %x : index
      %is_block = arith.cmpi eq, %block, %d : index
      %blocks = gpu.grid_dim y
      %clusters = gpu.cluster_dim y
      %e = arith.muli %clusters, %ny : index
      %is_grid = arith.cmpi eq, %blocks, %e : index

      %f = arith.andi %is_rank, %is_n : i1
      %g = arith.andi %is_block, %is_grid : i1
      %h = arith.andi %f, %g : i1
      %none = arith.constant -1 : i32
      %result = arith.select %h, %rank, %none : i32
      return %result : i32
    }

    // Element i of the cluster's data gets the last one but i. The host passes the
    // data in the order of ranks.
    func.func @reverse_data(%in: !out, %out: !out, %generic: i1) {
      %c1 = arith.constant 1 : i32
      %rank = func.call @rank() : () -> i32
      %blocks = nvvm.read.ptx.sreg.cluster.nctarank : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %threads = nvvm.read.ptx.sreg.ntid.x : i32
      %cx = gpu.cluster_id x
      %cy = gpu.cluster_id y
      %cnx = gpu.cluster_dim x
      %cyn = arith.muli %cy, %cnx : index
      %cluster = arith.addi %cyn, %cx : index
      %cluster32 = arith.index_cast %cluster : index to i32
      %a = arith.muli %cluster32, %blocks : i32
      %b = arith.addi %a, %rank : i32
      %c = arith.muli %b, %threads : i32
      %d = arith.addi %c, %tid : i32
      %i = arith.index_cast %d : i32 to index

      %data = llvm.mlir.addressof @data : !llvm.ptr<3>
      %mine = llvm.getelementptr %data[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %value = memref.load %in[%i] : !out
      llvm.store %value, %mine : i32, !llvm.ptr<3>
      func.call @sync() : () -> ()

      %last = arith.subi %blocks, %c1 : i32
      %other = arith.subi %last, %rank : i32
      %e = arith.subi %threads, %c1 : i32
      %mirrored = arith.subi %e, %tid : i32
      %read = scf.if %generic -> i32 {
        %space = llvm.addrspacecast %data : !llvm.ptr<3> to !llvm.ptr
        %there = nvvm.mapa %space, %other : !llvm.ptr -> !llvm.ptr
        %p = llvm.getelementptr %there[%mirrored] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        %v = llvm.load %p : !llvm.ptr -> i32
        scf.yield %v : i32
      } else {
        %there = nvvm.mapa %data, %other : !llvm.ptr<3> -> !llvm.ptr<7>
        %p = llvm.getelementptr %there[%mirrored] : (!llvm.ptr<7>, i32) -> !llvm.ptr<7>, i32
        %v = llvm.load %p : !llvm.ptr<7> -> i32
        scf.yield %v : i32
      }
      memref.store %read, %out[%i] : !out
      func.call @sync() : () -> ()
      return
    }
    gpu.func @reverse(%in: !out, %out: !out, %generic: i1) kernel {
      func.call @reverse_data(%in, %out, %generic) : (!out, !out, i1) -> ()
      gpu.return
    }
    gpu.func @reverse_in_pairs(%in: !out, %out: !out, %generic: i1) kernel
        attributes {nvvm.cluster_dim = array<i32: 2>} {
      func.call @reverse_data(%in, %out, %generic) : (!out, !out, i1) -> ()
      gpu.return
    }

    // Each warp of the cluster stores in block 0, adds to its total, and arrives at its
    // mbarrier; block 0 waits and writes all out.
    gpu.func @gather(%in: !out, %out: !out, %ptx: i1) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0 : i32
      %ticks = arith.constant 1000000 : i32
      %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
      %blocks = nvvm.read.ptx.sreg.cluster.nctarank : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %threads = nvvm.read.ptx.sreg.ntid.x : i32
      %data = llvm.mlir.addressof @data : !llvm.ptr<3>
      %total = llvm.mlir.addressof @total : !llvm.ptr<3>
      %full = llvm.mlir.addressof @full : !llvm.ptr<3>
      %all = arith.muli %blocks, %threads : i32
      %is_first = arith.cmpi eq, %tid, %zero : i32
      %is_leader = arith.cmpi eq, %rank, %zero : i32
      scf.if %is_first {
        nvvm.mbarrier.init %full, %all : !llvm.ptr<3>, i32
        llvm.store %zero, %total : i32, !llvm.ptr<3>
        nvvm.fence.mbarrier.init
      }
      func.call @sync() : () -> ()

      %a = arith.muli %rank, %threads : i32
      %i32 = arith.addi %a, %tid : i32
      %block = gpu.block_id x
      %dim = gpu.block_dim x
      %b = arith.muli %block, %dim : index
      %t = gpu.thread_id x
      %i = arith.addi %b, %t : index
      %value = memref.load %in[%i] : !out
      %there = nvvm.mapa %data, %zero : !llvm.ptr<3> -> !llvm.ptr<7>
      %p = llvm.getelementptr %there[%i32] : (!llvm.ptr<7>, i32) -> !llvm.ptr<7>, i32
      llvm.store %value, %p : i32, !llvm.ptr<7>
      %sum = nvvm.mapa %total, %zero : !llvm.ptr<3> -> !llvm.ptr<7>
      %old = llvm.atomicrmw add %sum, %value monotonic : !llvm.ptr<7>, i32
      scf.if %ptx {
        llvm.inline_asm has_side_effects "{ .reg .b32 remote; mapa.shared::cluster.u32 remote, $0, $1; mbarrier.arrive.release.cluster.shared::cluster.b64 _, [remote]; }", "r,r" %full, %zero : (!llvm.ptr<3>, i32) -> ()
      } else {
        %remote = nvvm.mapa %full, %zero : !llvm.ptr<3> -> !llvm.ptr<7>
        nvvm.mbarrier.arrive %remote {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7>
      }

      scf.if %is_leader {
        nvvm.mbarrier.try_wait.parity %full, %zero, %ticks : !llvm.ptr<3>, i32, i32
        %n = arith.index_cast %blocks : i32 to index
        %own = llvm.load %total : !llvm.ptr<3> -> i32
        scf.for %r = %c0 to %n step %c1 {
          %c = arith.muli %r, %dim : index
          %from = arith.addi %c, %t : index
          %from32 = arith.index_cast %from : index to i32
          %q = llvm.getelementptr %data[%from32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
          %v = llvm.load %q : !llvm.ptr<3> -> i32
          %with = arith.addi %v, %own : i32
          %d = arith.addi %b, %from : index
          memref.store %with, %out[%d] : !out
        }
      }
      gpu.return
    }
  }

  // Large, of both signs, and all different.
  func.func @make(%n: index) -> !out {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %factor = arith.constant -1640531527 : i32
    %data = memref.alloc(%n) : !out
    scf.for %i = %c0 to %n step %c1 {
      %a = arith.index_cast %i : index to i32
      %b = arith.muli %a, %factor : i32
      memref.store %b, %data[%i] : !out
    }
    %unranked = memref.cast %data : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    return %data : !out
  }

  func.func @check_reversed(%in: !out, %out: !out, %of_cluster: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %n = memref.dim %in, %c0 : !out
    %last = arith.subi %of_cluster, %c1 : index
    %wrong = scf.for %i = %c0 to %n step %c1 iter_args(%w = %zero) -> i32 {
      %within = arith.remui %i, %of_cluster : index
      %begin = arith.subi %i, %within : index
      %mirrored = arith.subi %last, %within : index
      %j = arith.addi %begin, %mirrored : index
      %have = memref.load %out[%i] : !out
      %want = memref.load %in[%j] : !out
      %differs = arith.cmpi ne, %have, %want : i32
      %more = arith.addi %w, %one : i32
      %next = arith.select %differs, %more, %w : i32
      scf.yield %next : i32
    }
    vector.print %wrong : i32 punctuation <no_punctuation>
    vector.print str " wrong\n"
    return
  }

  func.func @reverse(%cx: index, %cy: index, %gx: index, %gy: index, %threads: index, %generic: i1) {
    %c1 = arith.constant 1 : index
    vector.print str "reversed in clusters of "
    vector.print %cx : index punctuation <no_punctuation>
    vector.print str "x"
    vector.print %cy : index punctuation <no_punctuation>
    vector.print str ": "
    %blocks = arith.muli %gx, %gy : index
    %n = arith.muli %blocks, %threads : index
    %in = func.call @make(%n) : (index) -> !out
    %out = func.call @make(%n) : (index) -> !out
    gpu.launch_func @kernels::@reverse clusters in (%cx, %cy, %c1)
        blocks in (%gx, %gy, %c1) threads in (%threads, %c1, %c1)
        args(%in : !out, %out : !out, %generic : i1)
    %size = arith.muli %cx, %cy : index
    %of_cluster = arith.muli %size, %threads : index
    func.call @check_reversed(%in, %out, %of_cluster) : (!out, !out, index) -> ()
    return
  }

  func.func @reverse_in_clusters_of_the_kernel() {
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %c384 = arith.constant 384 : index
    %true = arith.constant true
    vector.print str "reversed in clusters of the kernel: "
    %in = func.call @make(%c384) : (index) -> !out
    %out = func.call @make(%c384) : (index) -> !out
    gpu.launch_func @kernels::@reverse_in_pairs
        blocks in (%c6, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%in : !out, %out : !out, %true : i1)
    func.call @check_reversed(%in, %out, %c128) : (!out, !out, index) -> ()
    return
  }

  func.func @gather(%size: index, %threads: index, %ptx: i1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    vector.print str "gathered in clusters of "
    vector.print %size : index punctuation <no_punctuation>
    vector.print str ": "
    %n = arith.muli %size, %threads : index
    %in = func.call @make(%n) : (index) -> !out
    %out = func.call @make(%n) : (index) -> !out
    gpu.launch_func @kernels::@gather clusters in (%size, %c1, %c1)
        blocks in (%size, %c1, %c1) threads in (%threads, %c1, %c1)
        args(%in : !out, %out : !out, %ptx : i1)
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> i32 {
      %v = memref.load %in[%i] : !out
      %next = arith.addi %s, %v : i32
      scf.yield %next : i32
    }
    %wrong = scf.for %i = %c0 to %n step %c1 iter_args(%w = %zero) -> i32 {
      %have = memref.load %out[%i] : !out
      %v = memref.load %in[%i] : !out
      %want = arith.addi %v, %sum : i32
      %differs = arith.cmpi ne, %have, %want : i32
      %more = arith.addi %w, %one : i32
      %next = arith.select %differs, %more, %w : i32
      scf.yield %next : i32
    }
    vector.print %wrong : i32 punctuation <no_punctuation>
    vector.print str " wrong\n"
    return
  }

  func.func @main() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c6 = arith.constant 6 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c96 = arith.constant 96 : index
    %false = arith.constant false
    %true = arith.constant true
    call @reverse(%c1, %c1, %c2, %c1, %c32, %false) : (index, index, index, index, index, i1) -> ()
    call @reverse(%c2, %c1, %c6, %c2, %c96, %true) : (index, index, index, index, index, i1) -> ()
    call @reverse(%c2, %c2, %c4, %c2, %c32, %false) : (index, index, index, index, index, i1) -> ()
    call @reverse(%c4, %c1, %c8, %c1, %c64, %true) : (index, index, index, index, index, i1) -> ()
    call @reverse(%c8, %c2, %c8, %c2, %c32, %false) : (index, index, index, index, index, i1) -> ()
    call @reverse_in_clusters_of_the_kernel() : () -> ()
    call @gather(%c2, %c64, %false) : (index, index, i1) -> ()
    call @gather(%c4, %c96, %true) : (index, index, i1) -> ()
    call @gather(%c16, %c32, %true) : (index, index, i1) -> ()
    return
  }
}
