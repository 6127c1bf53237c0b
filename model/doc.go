// Package model holds what learning produces: a function f in the span of a kernel's
// sections, f(x) = b + Σᵢ αᵢ k(x, xᵢ) ([Expansion]), or its primal form
// f(x) = b + ⟨w, φ(x)⟩ ([Primal]), and the safe, portable file in which it is kept. What
// all methods say of a fit is a [Run]; what all check of their rows before it is [Checks].
//
// # The file
//
// [WriteFile] and [Open] use the safetensors layout: named tensors and a map of
// texts, readable by the tools of that format, without any code to execute. Which
// tensors and texts make a model is decided by those who write models; the container
// knows three keys of its own: the format version, the version of the writer, and a
// checksum over the whole file.
//
// A reader trusts nothing. The header may have at most 100 MB, no key twice, no
// unknown field; the tensors must fill the rest of the file without holes or overlap;
// the checksum must be right. Everything else is a [*FileError] that names the file,
// the byte and what to do. The checksum finds damage, not malice: a file that must not
// be tampered with needs a signature of its own.
package model
