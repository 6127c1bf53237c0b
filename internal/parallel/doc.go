// Package parallel shares numbered pieces of work among goroutines. Whoever makes every
// piece write places of its own, and adds partial sums up in the order of the pieces,
// gets the same bits for any number of workers.
package parallel
