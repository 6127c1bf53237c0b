package graph_test

import (
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	"example.org/mercer/data/graph/tudataset"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
)

func BenchmarkAttributes(b *testing.B) {
	graphs, err := tudataset.Graphs(b.Context(), testkit.Shared(b, "graphs/ENZYMES"), nil)
	if err != nil {
		b.Fatal(err)
	}
	points := data.Slice[*graph.Graph](graphs[:60])
	for _, text := range []string{"sp(node=rbf(sigma=40))", "walk(k=3, node=rbf(sigma=40))"} {
		k, err := parse(text)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(text, func(b *testing.B) {
			for b.Loop() {
				if _, err := gram.Dense(b.Context(), kernel.Bind(k, points, points), compute.Options{Workers: 1}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkGram(b *testing.B) {
	for _, set := range []string{"NCI1"} {
		graphs, err := tudataset.Graphs(b.Context(), testkit.Shared(b, "graphs/"+set), nil)
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
					if _, err := gram.Dense(b.Context(), kernel.Bind(k, points, points), compute.Options{}); err != nil {
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
