package ckn_test

import (
	"math"
	"strings"
	"testing"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/ckn"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/kerneltest"
)

// made makes a kernel or stops the test.
func made(t testing.TB, o ckn.Options) ckn.Kernel {
	t.Helper()
	k, err := ckn.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// images draws some, with an empty one and a bright pixel among them.
func images(t testing.TB, count, size int) [][]float64 {
	r := testkit.Rand(t, 7)
	out := make([][]float64, count)
	for i := range out {
		out[i] = make([]float64, size)
		for j := range out[i] {
			out[i][j] = r.Float64()
		}
	}
	clear(out[0])
	clear(out[1])
	out[1][size/2] = 1
	return out
}

var layers = []ckn.Layer{{Patch: 3, Pool: 2, Sigma: 0.7}, {Patch: 2, Pool: 2, Sigma: 0.5}}

func TestConformance(t *testing.T) {
	parse := func(text string) (kernel.Kernel[[]float64], error) {
		return expr.ParseKernel(text, expr.Dictionary[[]float64]{Kernels: map[string]expr.Entry[[]float64]{"ckn": ckn.Entry}})
	}
	for _, o := range []ckn.Options{
		{Shape: [3]int{5, 4, 1}, Layers: layers},
		{Shape: [3]int{5, 4, 3}, Input: ckn.Centred, Layers: layers[:1]},
		{Shape: [3]int{6, 6, 1}, Input: ckn.Gradient, Reduce: 2, Layers: layers[1:]},
		{Shape: [3]int{4, 5, 2}, Input: ckn.Gradient, Orientations: 5, Layers: layers},
		{Shape: [3]int{4, 4, 1}, Layers: layers, Normalize: true},
	} {
		var k kernel.Kernel[[]float64] = made(t, o)
		kerneltest.Run(t, k, images(t, 9, o.Shape[0]*o.Shape[1]*o.Shape[2]), kerneltest.Options[[]float64]{Parse: parse})
	}
}

// taylor returns the features ‖x‖·√cⱼ·(x/‖x‖)^⊗j, j ≤ order, cⱼ = e^(−1/σ²)/(j!σ²ʲ), whose inner
// products are the Taylor polynomial of ‖x‖‖y‖·exp((cos − 1)/σ²).
func taylor(x []float64, sigma float64, order int) []float64 {
	norm := 0.0
	for _, v := range x {
		norm = math.Hypot(norm, v)
	}
	var out []float64
	power, c := []float64{1}, math.Exp(-1/(sigma*sigma))
	for j := 0; j <= order; j++ {
		if j > 0 {
			c /= float64(j) * sigma * sigma
			var next []float64
			for _, p := range power {
				for _, v := range x {
					next = append(next, p*v/max(norm, 1e-300))
				}
			}
			power = next
		}
		for _, p := range power {
			out = append(out, norm*math.Sqrt(c)*p)
		}
	}
	return out
}

// network computes the features of an image layer by layer from the definition, with Taylor
// features of each patch.
func network(x []float64, side, channels int, layers []ckn.Layer, orders []int) []float64 {
	phi := make([][]float64, side*side)
	for p := range phi {
		phi[p] = x[p*channels : (p+1)*channels]
	}
	for l, of := range layers {
		c := len(phi[0])
		psi := make([][]float64, len(phi))
		for p := range phi {
			var patch []float64
			for t := range of.Patch * of.Patch {
				i, j := p/side+t/of.Patch-(of.Patch-1)/2, p%side+t%of.Patch-(of.Patch-1)/2
				if i < 0 || i >= side || j < 0 || j >= side {
					patch = append(patch, make([]float64, c)...)
					continue
				}
				patch = append(patch, phi[i*side+j]...)
			}
			psi[p] = taylor(patch, of.Sigma, orders[l])
		}
		weights := ckn.Pooling(side, of.Pool)
		left := len(weights)
		phi = make([][]float64, left*left)
		for p := range phi {
			phi[p] = make([]float64, len(psi[0]))
			for i, u := range weights[p/left].Weights {
				for j, v := range weights[p%left].Weights {
					for o, s := range psi[(weights[p/left].From+i)*side+weights[p%left].From+j] {
						phi[p][o] += u * v * s
					}
				}
			}
		}
		side = left
	}
	var all []float64
	for _, v := range phi {
		all = append(all, v...)
	}
	return all
}

// The rest of the Taylor series of exp(u/σ²), |u| ≤ 1, after the term j is below
// 2/(σ^(2j+2)·(j+1)!) of K(x, x): 2e-7 for σ = 1.2 and j = 8, 1e-7 for σ = 3 and j = 5. What pools
// and sums K keeps that, and a second layer multiplies errors of A by less than 3.
func TestEqualsTaylorFeatures(t *testing.T) {
	for _, c := range []struct {
		name     string
		channels int
		layers   []ckn.Layer
		orders   []int
	}{
		{"one layer", 1, []ckn.Layer{{Patch: 2, Pool: 2, Sigma: 1.2}}, []int{8}},
		{"two channels", 2, []ckn.Layer{{Patch: 1, Pool: 3, Sigma: 1.2}}, []int{8}},
		{"two layers", 1, []ckn.Layer{{Patch: 1, Pool: 2, Sigma: 1.2}, {Patch: 1, Pool: 2, Sigma: 3}}, []int{8, 5}},
	} {
		k := made(t, ckn.Options{Shape: [3]int{3, 3, c.channels}, Layers: c.layers})
		xs := images(t, 5, 9*c.channels)
		var phi [][]float64
		for _, x := range xs {
			phi = append(phi, network(x, 3, c.channels, c.layers, c.orders))
		}
		for i := range xs {
			for j := range xs {
				want := 0.0
				for o, v := range phi[i] {
					want += v * phi[j][o]
				}
				scale := math.Sqrt(k.Eval(xs[i], xs[i]) * k.Eval(xs[j], xs[j]))
				if got := k.Eval(xs[i], xs[j]); math.Abs(got-want) > 1e-6*scale || scale > 0 && got == want && i > 0 && j > 1 {
					t.Errorf("%s: k(x%d, x%d) = %v, and %v by Taylor features", c.name, i, j, got, want)
				}
			}
		}
	}
}

// A rotation by a right angle turns patches, pools and the image alike.
func TestGradientOfARamp(t *testing.T) {
	k := made(t, ckn.Options{Shape: [3]int{4, 4, 1}, Input: ckn.Gradient, Orientations: 4, Layers: layers[:1]})
	ramp := make([]float64, 16)
	for p := range ramp {
		ramp[p] = float64(p % 4) // grows to the right: dx = 2 within, dy = 0
	}
	v := make([]float64, 64)
	k.Map(v, make([]float64, k.MapScratch()), ramp)
	// ‖u₁ − u₀‖² = 2: exp(0), exp(−2/2), exp(−4/2), exp(−2/2)
	for o, want := range []float64{2, 2 * math.Exp(-1), 2 * math.Exp(-2), 2 * math.Exp(-1)} {
		testkit.Close(t, "the map of a ramp", v[5*4+o], want, 1e-14)
	}
}

// The weights are those of exp(−d²/s²) by hand.
func TestPooling(t *testing.T) {
	runs := ckn.Pooling(5, 2) // centred at 0, 2 and 4
	e1, e4 := math.Exp(-0.25), math.Exp(-1)
	for i, want := range []struct {
		from    int
		weights []float64
	}{{0, []float64{1, e1, e4}}, {0, []float64{e4, e1, 1, e1, e4}}, {2, []float64{e4, e1, 1}}} {
		sum := 0.0
		for _, v := range want.weights {
			sum += v
		}
		if runs[i].From != want.from || len(runs[i].Weights) != len(want.weights) {
			t.Fatalf("run %d is %+v", i, runs[i])
		}
		for j, v := range want.weights {
			testkit.Close(t, "a weight", runs[i].Weights[j], v/sum, 1e-15)
		}
	}
}

func TestErrors(t *testing.T) {
	d := expr.Dictionary[[]float64]{Kernels: map[string]expr.Entry[[]float64]{"ckn": ckn.Entry}}
	for text, want := range map[string]string{
		"ckn(shape=[28, 28])":                           "there are 2",
		"ckn(shape=[28, 28, 0])":                        "is none of an image",
		"ckn(shape=[1000000, 1000000, 3])":              "is none of an image",
		"ckn(shape=[28, 28, 1], patch=[3, 3])":          "2 patches, 1 pools",
		"ckn(shape=[28, 28, 1], patch=29)":              "does not fit",
		"ckn(shape=[28, 28, 1], patch=2.5)":             "whole number",
		"ckn(shape=[28, 28, 1], sigma=0)":               "above 0",
		"ckn(shape=[28, 28, 1], input=edges)":           "not known",
		"ckn(shape=[28, 28, 1], normalize=maybe)":       "neither yes nor no",
		"ckn(shape=[28, 28, 1], reduce=0)":              "at least 1",
		"ckn(shape=[28, 28, 1], pool=30)":               "from 1 to 28",
		"ckn(shape=[28, 28, 1], orientations=1)":        "from 2 to 1024",
		"ckn(shape=[28, 28, 1], sigma=[0.5, 0.6, 0.7])": "3 sigmas",
	} {
		if _, err := expr.ParseKernel(text, d); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	k := made(t, ckn.Options{Shape: [3]int{4, 4, 1}, Layers: layers})
	if err := k.Contains(make([]float64, 64)); err == nil || !strings.Contains(err.Error(), "shape=[8, 8, 1]") {
		t.Errorf("64 numbers: %v", err)
	}
	w := made(t, ckn.Options{Shape: [3]int{4, 4, 1}, Input: ckn.Whitened, Layers: layers})
	if err := w.Unlearned(); err == nil || !strings.Contains(err.Error(), "--filters") || !math.IsNaN(w.Eval(make([]float64, 16), make([]float64, 16))) {
		t.Errorf("without whitening: %v", err)
	}
}
