package figure

// Metric is a picture of a learned metric: the relevance of the columns, and the matrix M that
// also turns them, orange where columns count less together than apart and blue where more.
type Metric struct {
	Relevance Bars
	M         [][]float64 // rows and columns as Relevance names them
}

// PNG draws the picture as PNG.
func (m Metric) PNG() ([]byte, error) { return asPNG(m.sheet()) }

// SVG draws the picture as SVG.
func (m Metric) SVG() ([]byte, error) { return asSVG(m.sheet()) }

func (m Metric) sheet() (Sheet, error) {
	out, err := BarPanels{m.Relevance}.sheet()
	matrix := MatrixPanel("M: which columns count together", m.M)
	matrix.Bounds = nil // there are names around it
	for i, name := range m.Relevance.Names {
		at := float64(len(m.Relevance.Names)-i) - 0.5
		matrix.Layers = append(matrix.Layers, Text{X: -0.2, Y: at, Text: name, Ink: Black, Align: -1}, Text{X: float64(i) + 0.5, Y: -0.4, Text: name, Ink: Black})
	}
	out.Panels = append(out.Panels, matrix)
	return out, err
}
