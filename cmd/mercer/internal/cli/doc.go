// Package cli is the command mercer. It puts the verbs together (addVerbs), prints the help, and
// turns errors into exit codes; the verbs stand beside it, by subject: learn, models, geometry,
// kernels, machine.
//
// A verb reads its flags, calls the library and hands a result to [verb.Invocation.Emit], which
// prints it as text or, with --json, as JSON. Nothing is computed there that the library could not
// do. A new verb is its file, and one line in addVerbs.
//
// The testscript documents in testdata/ are its tests and its tutorial.
package cli
