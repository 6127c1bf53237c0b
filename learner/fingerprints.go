package learner

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/linalg/level3"
	"example.org/mercer/pass"
)

// Fingerprints returns 64 bits of the SHA-256 of what is learned from each row: the prepared
// features and cells, the targets and the weight; named says that its id is the point itself.
// By them a row that is given again is known to have been learned from: rows that differ have
// the same with a probability of 2⁻⁶⁴ for each pair. xs are the features, with the driver of their
// table if it has one: then they are hashed where they are, unless rows have cells or names.
func Fingerprints(ctx context.Context, rows *prep.Prepared, xs data.Rows, named bool, o compute.Options) (prints []int64, err error) {
	if named = named && rows.IDs != nil; named || len(rows.Cells) > 0 || xs.Len() == 0 || xs.Dim() == 0 {
		prints, err = fingerprintsHere(ctx, rows, xs, named)
	} else {
		prints, err = fingerprintsInPass(ctx, rows, xs, o)
	}
	if err == nil && rows.Streamed != nil {
		err = rows.Streamed.Err()
	}
	return prints, err
}

// fingerprintedRows is the number of rows that are read at a time.
const fingerprintedRows = 4096

// fingerprintsHere reads one row after another.
func fingerprintsHere(ctx context.Context, rows *prep.Prepared, xs data.Rows, named bool) ([]int64, error) {
	out, sum := make([]int64, len(rows.Rows)), sha256.New()
	for from := 0; from < len(out); from += fingerprintedRows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		to := min(from+fingerprintedRows, len(out))
		var block data.Set[[]float64]
		if xs.Len() > 0 {
			block = data.Run(xs, from, to)
		}
		for i := from; i < to; i++ {
			sum.Reset()
			if block != nil {
				hashNumbers(sum, block.At(i-from))
			}
			hashNumbers(sum, rows.Y.RawRowView(i))
			if rows.W != nil {
				hashNumbers(sum, rows.W[i:i+1])
			}
			for _, c := range rows.Cells {
				hashText(sum, c.Text[i], c.Missing != nil && c.Missing[i])
			}
			if named {
				hashText(sum, rows.IDs[i], false)
			}
			out[i] = int64(binary.LittleEndian.Uint64(sum.Sum(nil)))
		}
	}
	return out, nil
}

// fingerprintsInPass has rows hashed where they are.
func fingerprintsInPass(ctx context.Context, rows *prep.Prepared, xs data.Rows, o compute.Options) ([]int64, error) {
	out, work := make([]int64, len(rows.Rows)), fingerprinting{Targets: rows.Y.RawMatrix().Cols, Weighted: rows.W != nil}
	_, err := pass.Reduce(ctx, xs, pass.Sums{Work: work, In: func(numbers []float64, i int) {
		copy(numbers, rows.Y.RawRowView(i))
		if work.Weighted {
			numbers[work.Targets] = rows.W[i]
		}
	}, Out: func(made *mat.Dense, from int) {
		for i := range made.RawMatrix().Rows {
			halves := made.RawRowView(i)
			out[from+i] = int64(uint64(halves[0])<<32 | uint64(halves[1]))
		}
	}}, o)
	return out, err
}

func init() { pass.RegisterWork(fingerprinting{}) }

// fingerprinting makes both halves of the fingerprint of a row, whole numbers that are exact. So
// many targets go along and, where rows are weighted, the weight.
type fingerprinting struct {
	Targets  int
	Weighted bool
}

// Sizes counts targets, weight and halves.
func (f fingerprinting) Sizes(int) (in, out, sums int) {
	if f.Weighted {
		return f.Targets + 1, 2, 0
	}
	return f.Targets, 2, 0
}

// Worker hashes one row after another.
func (f fingerprinting) Worker(int, level3.Implementation) func(pass.Block) {
	sum := sha256.New()
	return func(b pass.Block) {
		for i := range b.X.RawMatrix().Rows {
			var along []float64
			if b.In != nil {
				along = b.In.RawRowView(i)
			}
			sum.Reset()
			hashNumbers(sum, b.X.RawRowView(i))
			hashNumbers(sum, along[:f.Targets])
			if f.Weighted {
				hashNumbers(sum, along[f.Targets:])
			}
			print := binary.LittleEndian.Uint64(sum.Sum(nil))
			copy(b.Out.RawRowView(i), []float64{float64(print >> 32), float64(print & math.MaxUint32)})
		}
	}
}

func hashNumbers(h hash.Hash, xs []float64) {
	b := make([]byte, 0, 8*len(xs)+8)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(xs)))
	for _, x := range xs {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x+0)) // −0 is 0
	}
	h.Write(b)
}

func hashText(h hash.Hash, text string, missing bool) {
	length := uint64(len(text))
	if missing {
		length, text = math.MaxUint64, ""
	}
	h.Write(append(binary.LittleEndian.AppendUint64(nil, length), text...))
}

// AddFingerprints returns the ascending fingerprints of known rows and of others.
func AddFingerprints(known, more []int64) []int64 {
	all := slices.Concat(known, more)
	slices.Sort(all)
	return all
}

// RemoveFingerprints returns ascending fingerprints less some of them, each as often as it is among
// these; stranger is the first of these that is not there, or not so often, −1 for none.
func RemoveFingerprints(known, gone []int64) (left []int64, stranger int) {
	taken := make(map[int64]int, len(gone))
	for i, print := range gone {
		first, _ := slices.BinarySearch(known, print)
		if at := first + taken[print]; at >= len(known) || known[at] != print {
			return nil, i
		}
		taken[print]++
	}
	left = make([]int64, 0, len(known)-len(gone))
	for _, print := range known {
		if taken[print] > 0 {
			taken[print]--
			continue
		}
		left = append(left, print)
	}
	return left, -1
}
