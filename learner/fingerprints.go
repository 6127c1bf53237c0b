package learner

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"math"
	"slices"

	"example.org/mercer/data"
	"example.org/mercer/data/prep"
)

// fingerprintedRows is the number of rows that are read at a time.
const fingerprintedRows = 4096

// Fingerprints returns 64 bits of the SHA-256 of what is learned from each row: the prepared
// features and cells, the targets and the weight; named says that its id is the point itself.
// By them a row that is given again is known to have been learned from: rows that differ have
// the same with a probability of 2⁻⁶⁴ for each pair.
func Fingerprints(ctx context.Context, rows *prep.Prepared, named bool) ([]int64, error) {
	out := make([]int64, len(rows.Rows))
	xs, sum := rows.Vectors(), sha256.New()
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
			if named && rows.IDs != nil {
				hashText(sum, rows.IDs[i], false)
			}
			out[i] = int64(binary.LittleEndian.Uint64(sum.Sum(nil)))
		}
	}
	if rows.Streamed != nil {
		return out, rows.Streamed.Err()
	}
	return out, nil
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
