package store

import (
	"context"
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
)

// BenchmarkGram computes a Gram matrix of 2000 points: without a store, when all tiles
// are kept for the first time (in memory and on disk), in a process that has verified
// them, and in one that has not.
func BenchmarkGram(b *testing.B) {
	const n = 2000
	for _, d := range []int{512, 784, 3072} {
		xs := data.MakeVectors(n, d)
		for i := range xs.Raw() {
			xs.Raw()[i] = float64(i*i%1009) / 1009
		}
		k := mat.NewSymDense(n, nil)
		fill := func(b *testing.B, s *Store) {
			o := compute.Options{}
			if s != nil {
				o.Store = s
			}
			p := kernel.Bind(vec.RBF{Sigma: 20}, xs, xs)
			if err := gram.Fill(context.Background(), k, p, o); err != nil {
				b.Fatal(err)
			}
		}
		with := func(b *testing.B, dir string) *Store {
			s, err := Open(Options{Dir: dir})
			if err != nil {
				b.Fatal(err)
			}
			return s
		}
		dir := b.TempDir()
		b.Run(fmt.Sprintf("none/n=%d/d=%d", n, d), func(b *testing.B) {
			for b.Loop() {
				fill(b, nil)
			}
		})
		b.Run(fmt.Sprintf("first/n=%d/d=%d", n, d), func(b *testing.B) {
			for b.Loop() {
				s := with(b, b.TempDir())
				fill(b, s)
				if err := s.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
		s := with(b, dir)
		fill(b, s)
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("next/n=%d/d=%d", n, d), func(b *testing.B) {
			for b.Loop() {
				s := with(b, dir)
				fill(b, s)
				s.Close()
			}
		})
		s = with(b, dir)
		fill(b, s)
		b.Run(fmt.Sprintf("same/n=%d/d=%d", n, d), func(b *testing.B) {
			for b.Loop() {
				fill(b, s)
			}
		})
		s.Close()
	}
}
