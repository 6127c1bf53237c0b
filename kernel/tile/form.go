package tile

// Column points may have a form besides their numbers, in which squared distances are faster
// and more exact: bytes (see [byteset]), or numbers and categories (see [mixture]). Rows that
// have it, too, use it, and the others numbers: the bits of an element depend on no other row.

// packColumnForm looks for a form of the column points.
func (f *field) packColumnForm() {
	if f.stat.Weights != nil || f.cols.n == 0 || f.cols.binary() {
		return
	}
	if f.packColumnBytes(); f.inBytes() {
		return
	}
	if f.mixture = f.cols.findMixture(); f.mixed() {
		f.cols.packMixture(f.mixture)
		f.mixture.inSingle(f.cols)
	}
}

// formed reports whether the column points have a form.
func (f *field) formed() bool { return f.inBytes() || f.mixed() }

// packForm gives the row points the form of the column points, and reports whether all can
// have it.
func (f *field) packForm() bool {
	if f.inBytes() {
		return f.rows.packBytes(f.cols.bytes.values, false)
	}
	return f.mixed() && f.rows.packMixture(f.mixture)
}

// fillFormed is fill for column points of a form, run by run of rows that have it or not.
func (f *field) fillFormed(dst []float64, stride, low, high, from, to int) {
	inForm := f.mixedDistances
	if f.inBytes() {
		inForm = f.byteDistances
	}
	runs(f.rows.fit, dst, stride, low, high, func(dst []float64, low, high int, fit bool) {
		if fit {
			inForm(dst, stride, low, high, from, to)
		} else {
			f.fillNumbers(dst, stride, low, high, from, to)
		}
	})
}

// runs calls fill for each run of rows that are fit or not.
func runs[F float](fit []bool, dst []F, stride, low, high int, fill func(dst []F, low, high int, fit bool)) {
	for low < high {
		end := low + 1
		for end < high && fit[end] == fit[low] {
			end++
		}
		fill(dst, low, end, fit[low])
		dst = dst[min(len(dst), (end-low)*stride):]
		low = end
	}
}
