package filters_test

import (
	"testing"

	"example.org/mercer/approx/filters"
	"example.org/mercer/compute"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/ckn"
)

// digits is the network of docs/results/images.md.
var digits = ckn.Options{Shape: [3]int{28, 28, 1}, Input: ckn.Gradient, Reduce: 2, Layers: []ckn.Layer{{Patch: 5, Pool: 4, Sigma: 0.6}}}

// BenchmarkMapRows tells the rate of the products of 256 images on one core, counting nothing but
// them.
func BenchmarkMapRows(b *testing.B) {
	xs := images(b, 256, 784)
	k := learned(b, made(b, digits), xs, filters.Options{Filters: []int{200}, Patches: 2000, Compute: compute.Options{Workers: 1}})
	phi := kernel.NewTile(256, k.Dim())
	for b.Loop() {
		k.MapRows(phi, xs, 0)
	}
	b.ReportMetric(256*k.Flops()*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)/256*1e6, "µs/image")
}

func BenchmarkLearn(b *testing.B) {
	xs := images(b, 250, 784)
	for b.Loop() {
		learned(b, made(b, digits), xs, filters.Options{Filters: []int{200}, Compute: compute.Options{Workers: 1}})
	}
}
