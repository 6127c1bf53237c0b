package svm

import "math"

// steepest returns the least gradient of the variables that can rise (rise is 0, else
// +Inf), and where it is; +Inf and −1 if none can.
func steepest(g, rise []float64) (at int, least float64) {
	at, least = -1, math.Inf(1)
	rise = rise[:len(g)]
	for t, v := range g {
		if v += rise[t]; v < least {
			at, least = t, v
		}
	}
	return at, least
}
