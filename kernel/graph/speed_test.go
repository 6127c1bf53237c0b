package graph_test

import (
	"testing"

	"mercer/data"
	"mercer/data/graph"
	"mercer/data/graph/tudataset"
	"mercer/gram"
	"mercer/internal/testkit"
	"mercer/kernel"
)

func BenchmarkGram(b *testing.B) {
	for _, set := range []string{"NCI1"} {
		graphs, err := tudataset.Graphs(b.Context(), testkit.Shared(b, "graphs/"+set))
		if err != nil {
			b.Fatal(err)
		}
		points := data.Slice[*graph.Graph](graphs)
		for _, text := range []string{"wl(h=5)", "sp", "vertices"} {
			k, err := parse(text)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(set+"/"+text, func(b *testing.B) {
				for b.Loop() {
					if _, err := gram.Dense(b.Context(), kernel.Bind(k, points, points), gram.Options{}); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.Run(set+"/"+text+"/bind", func(b *testing.B) {
				for b.Loop() {
					kernel.Bind(k, points, points)
				}
			})
		}
	}
}
