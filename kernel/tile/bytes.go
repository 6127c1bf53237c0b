package tile

import "example.org/mercer/internal/simd"

const (
	// bytesLimit is the number of coordinates from which on points of bytes are also held
	// as such. Where they are 255ths, v = k/255 rounded, a difference of two is off by at
	// most 2⁻⁵³ and at least 1/255 unless it is 0, so that the exact squared distance of
	// the bytes, divided by 255², is right to 2·255·2⁻⁵³ + 2·2⁻⁵³, relative to itself: from
	// 30 coordinates on less than what [keptShare] promises.
	bytesLimit = 32
	mostBytes  = 255
)

// byteset are points whose coordinates are all 0, 1, …, 255, or all 255ths of these, as
// images have them: squared distances of such points are sums of whole numbers, exact and
// eight to an instruction's word. The others of a set stay numbers.
type byteset struct {
	signed, plain []uint64 // words as simd.InnerBytes wants them of row and column points
	norms         []float64
	size          int // words of a point; 0: none is
	values        *[mostBytes + 1]float64
	lists         []int32 // words that are not 0 in all of a group
	listed        []int   // where those of each group begin, and the end of the last
}

// inBytes reports whether squared distances from column points are computed of bytes where
// the row points are, too.
func (f *field) inBytes() bool { return f.cols.bytes.size > 0 }

// packColumnBytes makes bytes of the column points if all of them can be.
func (f *field) packColumnBytes() {
	if f.cols.d < bytesLimit || f.cols.d > simd.MostBytes || !simd.HasBytes() {
		return
	}
	for _, values := range []*[mostBytes + 1]float64{&wholeBytes, &shareBytes} {
		if f.cols.packBytes(values, true) {
			return
		}
	}
	f.cols.bytes = byteset{}
}

// wholeBytes and shareBytes are the values that a byte may stand for.
var wholeBytes, shareBytes = func() (whole, share [mostBytes + 1]float64) {
	for k := range whole {
		whole[k], share[k] = float64(k), float64(k)/mostBytes
	}
	return whole, share
}()

// packBytes makes bytes of the points all of whose coordinates are among the values, and
// reports whether these are all points. With all set it stops at the first that is not.
func (p *points) packBytes(values *[mostBytes + 1]float64, all bool) bool {
	const width = simd.PanelWidth
	b, scale, complete := &p.bytes, mostBytes/values[mostBytes], true
	b.size, b.values = (p.d+7)/8, values
	padded := (p.n + width - 1) / width * width
	b.plain, b.norms = resized(b.plain, padded*b.size), resized(b.norms, padded)
	clear(b.plain)
	p.fit = resized(p.fit, p.n)
	for i := range p.n {
		word, sum, fit := b.plain[i/width*width*b.size+i%width:], 0, true
		for j, v := range p.at(i) {
			if v == 0 {
				continue
			}
			k := uint8(min(max(v*scale+0.5, 0), mostBytes))
			fit = fit && values[k] == v
			word[j/8*width] |= uint64(k) << (j % 8 * 8)
			sum += int(k) * int(k)
		}
		b.norms[i], p.fit[i] = float64(sum), fit
		if complete = complete && fit; all && !fit {
			return false
		}
	}
	b.signed = resized(b.signed, len(b.plain))
	for i, word := range b.plain {
		b.signed[i] = word ^ 0x8080808080808080 // every byte less 128
	}
	p.listBytes()
	return complete
}

// listBytes collects for each group the words that are not 0 in all points.
func (p *points) listBytes() {
	b := &p.bytes
	b.lists, b.listed = b.lists[:0], append(b.listed[:0], 0)
	for first := 0; first < p.n; first += group {
		from := first/simd.PanelWidth*simd.PanelWidth*b.size + first%simd.PanelWidth
		for w := range b.size {
			any := uint64(0)
			for _, word := range b.plain[from+w*simd.PanelWidth:][:group] {
				any |= word
			}
			if any != 0 {
				b.lists = append(b.lists, int32(w))
			}
		}
		b.listed = append(b.listed, len(b.lists))
	}
}

// byteDistances stores the squared distances of rows of bytes.
func (f *field) byteDistances(dst []float64, stride, low, high, from, to int) {
	const width = simd.PanelWidth
	rows, cols := &f.rows.bytes, &f.cols.bytes
	index := rows.lists[rows.listed[low/group]:rows.listed[low/group+1]]
	simd.InnerBytes(dst, stride, high-low, rows.signed[low/width*width*rows.size+low%width:], cols.plain[from*width*cols.size:to*width*cols.size], index, cols.size, to-from)
	norms := cols.norms[from*width : to*width]
	for i := low; i < high; i++ {
		s := dst[(i-low)*stride : (i-low)*stride+len(norms)]
		simd.SquaredFromInner(s, norms, rows.norms[i], 0)
		if cols.values == &shareBytes {
			simd.Affine(s, s, 1./(mostBytes*mostBytes), 0)
		}
	}
}
