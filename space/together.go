package space

import (
	"example.org/mercer/gram/design"
	"example.org/mercer/pass"
)

// Concurrent returns how many searches of so many bytes each may share their passes over the rows
// of a space, see [Together]: 1 where these are in memory.
func Concurrent(s Space, bytes int64) int {
	p, ok := s.(*Primal)
	if !ok || p.rows.Held() {
		return 1
	}
	return MostConcurrent(p.dim, bytes, p.limit)
}

// MostConcurrent is [Concurrent] where features are made in passes, within a limit of memory (0:
// none is given).
func MostConcurrent(features int, bytes, limit int64) int {
	return pass.MaxConcurrent(bytes+WeighBytes(features), limit)
}

// WeighBytes is what [Primal.Weigh] has: sums of all rows and of a piece of them, the factor, and
// the one before, which the collector has not found yet.
func WeighBytes(dim int) int64 { return 4 * 8 * int64(dim) * int64(dim) }

// Together calls search(i, …) once for every i < count, with a space of the same rows. Where these
// are read in passes, up to most of the searches go on at the same time and share them: the
// features of a row are made once for all. Results do not depend on how many others there are. The
// error is that of the first i which has one.
func Together(s Space, count, most int, search func(i int, s Space) error) error {
	if p, ok := s.(*Primal); ok {
		return p.rows.Together(count, most, func(i int, rows *design.Blocks) error {
			own := *p
			own.rows = rows
			if i > 0 && rows != p.rows { // the first alone tells how far it is
				own.o.Progress = nil
			}
			return search(i, &own)
		})
	}
	for i := range count {
		if err := search(i, s); err != nil {
			return err
		}
	}
	return nil
}
