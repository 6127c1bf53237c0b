package figure

// mostSquares is the order of a matrix whose elements can still be seen.
const mostSquares = 150

// Thinned returns the numbers of at most 150 of n rows, evenly chosen: more cannot be seen
// in a picture of their matrix.
func Thinned(n int) []int {
	rows := make([]int, min(n, mostSquares))
	for i := range rows {
		rows[i] = i * n / len(rows)
	}
	return rows
}

// MatrixPanel draws a matrix, orange below 0 and blue above it.
func MatrixPanel(title string, values [][]float64) Panel {
	p := Panel{Title: title, Bare: true, Equal: true, Layers: []Layer{Matrix{Values: values, Signed: true}}}
	if len(values) > 0 {
		p.Bounds = &Bounds{X1: float64(len(values[0])), Y1: float64(len(values))}
	}
	return p
}
