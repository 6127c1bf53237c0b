package simd

// Whitenings are maps x ↦ A_jx − o_j with lower triangular matrices A_j, packed for
// [Whitenings.Norms].
type Whitenings struct {
	d, count       int
	packed, offset []float64
}

// NewWhitenings returns room for count > 0 maps of points of d > 0 coordinates, all 0.
func NewWhitenings(count, d int) *Whitenings {
	w := &Whitenings{d: d, count: count}
	w.packed, w.offset = make([]float64, count*w.size()), make([]float64, count*w.padded())
	return w
}

// padded is the number of rows of a packed matrix.
func (w *Whitenings) padded() int { return (w.d + quad - 1) / quad * quad }

// size is how many numbers a packed matrix has: of each four rows the columns up to the
// diagonal of the last.
func (w *Whitenings) size() int {
	n := 0
	for b := 0; b < w.d; b += quad {
		n += quad * min(b+quad, w.d)
	}
	return n
}

// Set stores row b ≥ 0 of A_j, of which the numbers up to the diagonal count, and o_jb.
func (w *Whitenings) Set(j, b int, row []float64, offset float64) {
	w.offset[j*w.padded()+b] = offset
	at := j*w.size() + b/quad*(b/quad+1)/2*quad*quad // behind groups of 4, 8, … columns
	for a, v := range row[:b+1] {
		w.packed[at+a*quad+b%quad] = v
	}
}

// Norms stores ‖A_jxᵢ − o_j‖² in dst[j*stride+i] for PanelWidth points i, of which
// x[p*stride+i] are the coordinates, and every j. Its bits depend on the point and the
// map only.
func (w *Whitenings) Norms(dst, x []float64, stride int) { w.normsAt(Best(), dst, x, stride) }

func (w *Whitenings) normsAt(l Level, dst, x []float64, stride int) {
	if stride < PanelWidth || len(dst) < (w.count-1)*stride+PanelWidth || len(x) < (w.d-1)*stride+PanelWidth {
		panic("simd: whitened norms: short points or results")
	}
	whitenedNormsAt(l, w, dst, x, stride)
}

// whitenedNormsPlain is Norms in plain Go: four rows at a time.
func whitenedNormsPlain(w *Whitenings, dst, x []float64, stride int) {
	rows, offset := w.packed, w.offset
	for j := range w.count {
		to := dst[j*stride : j*stride+PanelWidth]
		clear(to)
		for b := 0; b < w.d; b += quad {
			size := quad * min(b+quad, w.d)
			for i := range to {
				for _, s := range quadPlain(offset, rows[:size], x[i:], stride) {
					to[i] += float64(s * s)
				}
			}
			rows, offset = rows[size:], offset[quad:]
		}
	}
}
