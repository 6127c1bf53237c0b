// Package store keeps tiles of bound kernels on disk, for other computations and other
// runs: squared distances and other statistics, which all the kernels of a grid share,
// or the values of kernels that are evaluated pair by pair.
//
// # Addresses
//
// A tile is addressed by its content: the SHA-256 of what is computed, of the 128 row
// points and of the 128 column points. Nothing else is asked, not the name of a file
// nor its date. So a matrix whose points have grown by some rows finds all tiles but
// those of the new rows, and two runs that prepare their data in the same way share
// all of them. Results have the same bits with and without a store.
//
// # Trust
//
// Tiles are written in packs of up to 16 MiB that appear whole or not at all, and are
// read as mapped memory. Before its first use by a process a tile must agree with its
// checksum, and eight of its elements with what is computed now. A tile that does not is
// computed afresh and its pack removed; that is counted in [Stats] and is never an error.
// Neither is a folder that cannot be written: the work goes on without keeping.
//
// # Sharing
//
// Processes may share a folder without locks: packs have names of their own, are never changed, and
// one that vanishes while it is mapped stays readable. A process that is killed loses what it has
// not yet written, at most 16 MiB or what was computed in the last half minute. It leaves at most a
// temporary file, which is swept an hour later. The folder is kept below a size by removing the
// packs that were used least recently. What a process has used or written itself it does not
// remove: when that alone fills the folder, further tiles are computed and not kept.
package store
