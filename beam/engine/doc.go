// Package engine makes passes over rows on Apache Beam: on the Prism runner on one machine, or
// on a cluster, such as one of Apache Flink, that has a job server of Beam.
//
// A pass is one job of three steps: its pieces, a reshuffle that spreads them over the workers,
// and a function that works on a piece and stores the result (see package distributed). Nothing
// else goes through the engine, so that no message is large.
package engine
