// Package methods has the methods of learning as values, one file for each: its options, what it
// solves, its plan, what it keeps beside the function, and its settings.
//
// A method is a [learner.Learner], such as [KRR]; what else it can do it says by the interfaces of
// package learner. [All] lists what is known of the methods before there are data. To add one is to
// add a file and a line of All.
package methods
