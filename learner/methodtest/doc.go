// Package methodtest tests what every method must hold.
//
// A weight is a repetition. Any number of workers gives the same bits, and so do rows that stay in
// their file, a fit that was killed and goes on, and a model that comes back from its file. All
// rows as landmarks are the kernel itself. A fit ends when its context does, and fits in the memory
// of its plan.
package methodtest
