// Package cli is the command mercer: one file per verb. A verb reads its flags, calls
// the library and hands a result to [invocation.emit], which prints it as text or,
// with --json, as JSON. Nothing is computed here that the library could not do.
//
// The testscript documents in testdata/ are its tests and its tutorial.
package cli
