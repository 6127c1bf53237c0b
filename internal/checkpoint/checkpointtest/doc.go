// Package checkpointtest kills computations between the steps of their checkpoints, and compares
// what they come to when they go on.
package checkpointtest
