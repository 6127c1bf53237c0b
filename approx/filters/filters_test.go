package filters_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/filters"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/ckn"
	"example.org/mercer/kernel/kerneltest"
)

func made(t testing.TB, o ckn.Options) ckn.Kernel {
	t.Helper()
	k, err := ckn.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func learned(t testing.TB, k ckn.Kernel, xs data.Vectors, o filters.Options) *filters.Kernel {
	t.Helper()
	out, err := filters.Learn(t.Context(), k, xs, o)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// images draws some whose patches differ, after an empty one.
func images(t testing.TB, count, size int) data.Vectors {
	r := testkit.Rand(t, 3)
	out := data.MakeVectors(count, size)
	for i := 1; i < count; i++ {
		for j := range out.At(i) {
			out.At(i)[j] = r.Float64()
		}
	}
	return out
}

var networks = map[string]ckn.Options{
	"one layer": {Shape: [3]int{6, 5, 1}, Layers: []ckn.Layer{{Patch: 3, Pool: 2, Sigma: 0.6}}},
	"two":       {Shape: [3]int{6, 6, 2}, Layers: []ckn.Layer{{Patch: 3, Pool: 2, Sigma: 0.6}, {Patch: 2, Pool: 3, Sigma: 0.5}}},
	"gradient":  {Shape: [3]int{8, 8, 1}, Input: ckn.Gradient, Reduce: 2, Layers: []ckn.Layer{{Patch: 3, Pool: 2, Sigma: 0.6}}},
	"centred":   {Shape: [3]int{5, 5, 3}, Input: ckn.Centred, Layers: []ckn.Layer{{Patch: 2, Pool: 2, Sigma: 0.7}, {Patch: 2, Pool: 1, Sigma: 0.6}}},
	"unit":      {Shape: [3]int{6, 6, 1}, Layers: []ckn.Layer{{Patch: 3, Pool: 2, Sigma: 0.6}}, Normalize: true},
	"whitened":  {Shape: [3]int{5, 5, 3}, Input: ckn.Whitened, Layers: []ckn.Layer{{Patch: 3, Pool: 2, Sigma: 0.7}}},
}

// With a filter for each patch, κ(x)ᵀ(κ(ZᵀZ) + εI)⁻¹κ(y) differs from κ(x, y) by at most ε for
// each pair of patches of length 1, so k by at most ε times what it would be if all were alike,
// which is below the square of the pooled norms. Single precision adds the rounding of κ(Zᵀx),
// 2⁻²⁴ for each of m, times the norm ε^(−1/2) of the inverse root: the bound of a layer is
// ε + 2√m·2⁻²⁴/√ε, and a second layer sees the errors of the first over its σ².
func TestAllPatchesGiveTheExactKernel(t *testing.T) {
	const epsilon = 1e-4
	for name, o := range networks {
		xs := images(t, 4, o.Shape[0]*o.Shape[1]*o.Shape[2])
		many := make([]int, len(o.Layers))
		for i := range many {
			many[i] = 4000
		}
		k := learned(t, made(t, o), xs, filters.Options{Filters: many, Epsilon: epsilon})
		m := slices.Max(k.Filters())
		if m >= 4000 {
			t.Fatalf("%s: %v filters", name, k.Filters())
		}
		bound := epsilon + 2*math.Sqrt(float64(m))*0x1p-24/math.Sqrt(epsilon)
		if len(o.Layers) > 1 {
			bound *= 1 + 1/(o.Layers[1].Sigma*o.Layers[1].Sigma)
		}
		exact, off := k.Network(), 0.0
		for i := range 4 {
			for j := range 4 {
				want := exact.Eval(xs.At(i), xs.At(j))
				scale := math.Sqrt(exact.Eval(xs.At(i), xs.At(i)) * exact.Eval(xs.At(j), xs.At(j)))
				d := math.Abs(k.Eval(xs.At(i), xs.At(j)) - want)
				if off = max(off, d/max(scale, 1e-300)); d > bound*scale {
					t.Errorf("%s: %v and %v exactly at %d, %d: beyond %v of %v", name, k.Eval(xs.At(i), xs.At(j)), want, i, j, bound, scale)
				}
			}
		}
		if off < 1e-9 {
			t.Errorf("%s: the features are off by %v, less than single precision can be", name, off)
		}
		t.Logf("%s: %v filters, off by %.2g, bound %.2g", name, k.Filters(), off, bound)
	}
}

// slow is the map of one layer in double precision, straight from its definition.
func slow(v []float64, h, w, c int, l ckn.Layer, z *mat.Dense, epsilon float64) []float64 {
	m, d := z.Dims()
	gram := mat.NewSymDense(m, nil)
	for i := range m {
		for j := i; j < m; j++ {
			gram.SetSym(i, j, math.Exp((mat.Dot(z.RowView(i), z.RowView(j))-1)/(l.Sigma*l.Sigma)))
		}
		gram.SetSym(i, i, gram.At(i, i)+epsilon)
	}
	var e mat.EigenSym
	e.Factorize(gram, true)
	var u mat.Dense
	e.VectorsTo(&u)
	rows, cols := ckn.Pooling(h, l.Pool), ckn.Pooling(w, l.Pool)
	out := make([]float64, len(rows)*len(cols)*m)
	for p := range h * w {
		x := mat.NewVecDense(d, nil)
		for t := range l.Patch * l.Patch {
			i, j := p/w+t/l.Patch-ckn.Before(l.Patch), p%w+t%l.Patch-ckn.Before(l.Patch)
			for o := 0; o < c && 0 <= i && i < h && 0 <= j && j < w; o++ {
				x.SetVec(t*c+o, v[(i*w+j)*c+o])
			}
		}
		norm := mat.Norm(x, 2)
		if norm == 0 {
			continue
		}
		var s, psi mat.VecDense
		s.MulVec(z, x)
		for i := range m {
			s.SetVec(i, norm*math.Exp((s.AtVec(i)/norm-1)/(l.Sigma*l.Sigma)))
		}
		psi.MulVec(u.T(), &s)
		for i, value := range e.Values(nil) {
			psi.SetVec(i, psi.AtVec(i)/math.Sqrt(value))
		}
		s.MulVec(&u, &psi)
		for i, r := range rows {
			for j, r2 := range cols {
				a, b := p/w-r.From, p%w-r2.From
				if a < 0 || a >= len(r.Weights) || b < 0 || b >= len(r2.Weights) {
					continue
				}
				for o := range m {
					out[(i*len(cols)+j)*m+o] += r.Weights[a] * r2.Weights[b] * s.AtVec(o)
				}
			}
		}
	}
	return out
}

func TestMapEqualsItsDefinition(t *testing.T) {
	const epsilon = 1e-3
	for _, name := range []string{"one layer", "two", "gradient"} {
		o := networks[name]
		k := made(t, o)
		xs := images(t, 30, o.Shape[0]*o.Shape[1]*o.Shape[2])
		fast := learned(t, k, xs, filters.Options{Filters: []int{12, 17}[:len(o.Layers)], Epsilon: epsilon})
		phi := make([]float64, fast.Dim())
		for i := range xs.Len() {
			h, w, c := k.MapShape()
			v := make([]float64, h*w*c)
			k.Map(v, make([]float64, k.MapScratch()), xs.At(i))
			for l, of := range o.Layers {
				v = slow(v, h, w, c, of, fast.FiltersOf(l), epsilon)
				h, w, c = ckn.Pooled(h, of.Pool), ckn.Pooled(w, of.Pool), fast.Filters()[l]
			}
			fast.Map(phi, xs.At(i))
			size := 0.0
			for _, x := range v {
				size = max(size, math.Abs(x))
			}
			// rounding of 2⁻²⁴ in each of the sums of 20, times the inverse root, 1/√ε = 32
			for j := range v {
				if math.Abs(phi[j]-v[j]) > 20*32*0x1p-24*size {
					t.Fatalf("%s: feature %d of image %d is %v, and %v by definition", name, j, i, phi[j], v[j])
				}
			}
		}
	}
}

func TestBitsDependOnNothingElse(t *testing.T) {
	for name, o := range networks {
		xs := images(t, 40, o.Shape[0]*o.Shape[1]*o.Shape[2])
		var first kernel.Tile
		for _, workers := range []int{1, 2, 5} {
			k := learned(t, made(t, o), xs, filters.Options{Filters: []int{20, 20}[:len(o.Layers)], Compute: compute.Options{Workers: workers}})
			all := kernel.NewTile(40, k.Dim())
			k.MapRows(all, xs, 0)
			if first.Data == nil {
				first = all
			}
			if !slices.Equal(all.Data, first.Data) {
				t.Errorf("%s: other bits with %d workers", name, workers)
			}
			one := make([]float64, k.Dim())
			for i := range 40 {
				if k.Map(one, xs.At(i)); !slices.Equal(one, all.Row(i)) {
					t.Fatalf("%s: other bits alone in row %d", name, i)
				}
			}
		}
		other := learned(t, made(t, o), xs, filters.Options{Filters: []int{20, 20}[:len(o.Layers)], Seed: 1})
		phi := make([]float64, other.Dim())
		if other.Map(phi, xs.At(5)); slices.Equal(phi, first.Row(5)) {
			t.Errorf("%s: another seed gives the same features", name)
		}
	}
}

func TestConformanceAndRestore(t *testing.T) {
	for name, o := range networks {
		xs := images(t, 12, o.Shape[0]*o.Shape[1]*o.Shape[2])
		k := learned(t, made(t, o), xs, filters.Options{Filters: []int{9, 11}[:len(o.Layers)]})
		points := make([][]float64, xs.Len())
		for i := range points {
			points[i] = xs.At(i)
		}
		var features kernel.Kernel[[]float64] = k
		kerneltest.Run(t, features, points, kerneltest.Options[[]float64]{})
		again, err := filters.Restore(k.Network(), k.Layers(), 1)
		if err != nil {
			t.Fatal(err)
		}
		a, b := make([]float64, k.Dim()), make([]float64, k.Dim())
		k.Map(a, xs.At(3))
		if again.Map(b, xs.At(3)); !slices.Equal(a, b) {
			t.Errorf("%s: the restored map differs", name)
		}
	}
}

func TestErrors(t *testing.T) {
	o := networks["two"]
	xs := images(t, 5, 72)
	for want, try := range map[string]func() error{
		"2 layers": func() error {
			_, err := filters.Learn(t.Context(), made(t, o), xs, filters.Options{Filters: []int{3}})
			return err
		},
		"give from 1": func() error {
			_, err := filters.Learn(t.Context(), made(t, o), xs, filters.Options{Filters: []int{3, 0}})
			return err
		},
		"no images": func() error {
			_, err := filters.Learn(t.Context(), made(t, o), data.MakeVectors(0, 72), filters.Options{Filters: []int{3, 3}})
			return err
		},
		"all patches of layer 1 are 0": func() error {
			_, err := filters.Learn(t.Context(), made(t, o), data.MakeVectors(3, 72), filters.Options{Filters: []int{3, 3}})
			return err
		},
		"all patches are constant": func() error {
			_, err := filters.Learn(t.Context(), made(t, networks["whitened"]), data.MakeVectors(3, 75), filters.Options{Filters: []int{3}})
			return err
		},
		"are 72 numbers": func() error {
			_, err := filters.Learn(t.Context(), made(t, o), images(t, 5, 70), filters.Options{Filters: []int{3, 3}})
			return err
		},
		"do not fit": func() error {
			_, err := filters.Restore(made(t, o), make([]filters.Stored, 2), 1)
			return err
		},
	} {
		if err := try(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := filters.Learn(ended, made(t, o), xs, filters.Options{Filters: []int{3, 3}}); !errors.Is(err, context.Canceled) {
		t.Errorf("after its context: %v", err)
	}
}

// Bits of small networks do not depend on where their numbers lie in memory.
func TestBitsDependOnNoPlace(t *testing.T) {
	k := made(t, ckn.Options{Shape: [3]int{4, 4, 1}, Layers: []ckn.Layer{{Patch: 2, Pool: 2, Sigma: 0.5}}})
	xs := images(t, 20, 16)
	net := learned(t, k, xs, filters.Options{Filters: []int{5}})
	want, got := make([]float64, net.Dim()), make([]float64, net.Dim())
	net.Map(want, xs.At(7))
	for shift := range 16 {
		moved := net.Layers()
		for i := range moved {
			moved[i].Filters = append(make([]float32, shift, 999), moved[i].Filters...)[shift:]
			moved[i].Inverse = append(make([]float32, shift, 999), moved[i].Inverse...)[shift:]
		}
		again, err := filters.Restore(net.Network(), moved, 1)
		if err != nil {
			t.Fatal(err)
		}
		if again.Map(got, xs.At(7)); !slices.Equal(got, want) {
			t.Fatalf("other bits where the filters lie %d numbers further", shift)
		}
	}
}
