// Package skops reads files of skops.io, in which Python programs keep models of scikit-learn
// without pickle: a zip archive of schema.json, a tree of objects with their attributes, and of
// arrays as .npy files.
//
// A file is read as data. [Open] returns the tree as a [Value]; no class is looked up, nothing is
// built from a name, and what a caller does not ask for is not read. Attributes are asked for by
// name and kind, as in
//
//	model.Get("support_vectors_").Matrix(ctx)
//
// The first answer that is not there, or not of its kind, is kept as the error of the whole file:
// after it all answers are zero, and [Value.Err] says what was wrong where.
//
// Sources: the format of skops 0.11 and later (protocol 2), by its files; numpy.lib.format.
package skops
