// Package compensated adds up numbers with the error of one rounding, however many they are: the
// objective of a fit over all rows, the mean of a column.
package compensated
