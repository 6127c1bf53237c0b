// Package tabular lays predictions out in columns, for CSV and JSON: what a row is called, its
// labels, values, bounds, probabilities and label sets.
package tabular
