package store

import (
	"bytes"
	"fmt"
	"math"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/kerneltest"
	"example.org/mercer/kernel/vec"
)

// counts fails unless the store has read and kept so many tiles since the last call.
type counts struct {
	s    *Store
	last Stats
}

func (c *counts) expect(t *testing.T, what string, hits, misses int64) {
	t.Helper()
	now := c.s.Stats()
	if h, m := now.Hits-c.last.Hits, now.Misses-c.last.Misses; h != hits || m != misses {
		t.Errorf("%s: %d tiles were read and %d kept, want %d and %d", what, h, m, hits, misses)
	}
	c.last = now
}

// TestAGridSharesDistances: kernels that differ in sigma share the squared distances,
// in one run and in the next, and have the bits they have without a store.
func TestAGridSharesDistances(t *testing.T) {
	dir, xs := t.TempDir(), points(300) // 3 blocks: 6 tiles
	for run := range 2 {
		s := open(t, Options{Dir: dir})
		c := counts{s: s}
		for i, sigma := range []float64{10, 20, 40} {
			what := fmt.Sprintf("run %d, sigma %g", run, sigma)
			same(t, what, dense(t, rbf(sigma, xs), s, 1+run), dense(t, rbf(sigma, xs), nil, 1))
			if run+i == 0 {
				c.expect(t, what, 0, 6)
			} else {
				c.expect(t, what, 6, 0)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(packFiles(t, dir)); n != 1 {
		t.Errorf("there are %d packs, want 1", n)
	}
}

// TestAppendedRows: of a matrix that has grown only the tiles with new points are
// computed. With the 300th point block 2 has changed, blocks 0 and 1 have not.
func TestAppendedRows(t *testing.T) {
	s := open(t, Options{Dir: t.TempDir()})
	c := counts{s: s}
	dense(t, rbf(20, points(300)), s, 2)
	c.expect(t, "300 points", 0, 6)
	same(t, "340 points", dense(t, rbf(20, points(340)), s, 2), dense(t, rbf(20, points(340)), nil, 2))
	c.expect(t, "340 points", 3, 3)
	// Past 512 points the centre of the squared distances moves.
	same(t, "520 points", dense(t, rbf(20, points(520)), s, 2), dense(t, rbf(20, points(520)), nil, 2))
	c.expect(t, "520 points", 0, 15)
}

// TestViews: all views of a matrix read the same tiles, transposed where they want the
// lower triangle, and give the same bits for any number of workers.
func TestViews(t *testing.T) {
	dir, xs := t.TempDir(), points(300)
	x := mat.NewDense(300, 2, nil)
	for i := range 300 {
		x.Set(i, 0, float64(i%7))
		x.Set(i, 1, 1/float64(i+1))
	}
	views := func(o compute.Options) [][]float64 {
		p := rbf(20, xs)
		var product, rect mat.Dense
		var rows []float64
		packed, err := gram.PackedOf(t.Context(), p, o)
		for _, e := range []error{err, gram.Of(p, o).Mul(t.Context(), &product, x), gram.Rect(t.Context(), &rect, p, o),
			gram.Export(t.Context(), p, gram.PackedLower, o, func(row []float64) error { rows = append(rows, row...); return nil })} {
			if e != nil {
				t.Fatal(e)
			}
		}
		var lower []float64
		for i := range 300 {
			for j := range i + 1 {
				lower = append(lower, packed.At(i, j))
			}
		}
		return [][]float64{lower, product.RawMatrix().Data, rect.RawMatrix().Data, rows}
	}
	want := views(compute.Options{Workers: 1})
	dense(t, rbf(20, xs), open(t, Options{Dir: dir}), 2)
	for _, workers := range []int{1, 2, 3, 8} {
		s := open(t, Options{Dir: dir})
		got := views(compute.Options{Workers: workers, Store: s})
		for v := range want {
			for i := range want[v] {
				if math.Float64bits(got[v][i]) != math.Float64bits(want[v][i]) {
					t.Fatalf("%d workers, view %d, number %d: %v, without a store %v", workers, v, i, got[v][i], want[v][i])
				}
			}
		}
		if st := s.Stats(); workers > 1 && st.Misses != 0 {
			t.Errorf("%d workers computed %d tiles that were kept", workers, st.Misses)
		}
		s.Close()
	}
}

// TestSinglePrecision: tiles in single precision have the bits of a run without a store,
// whether the kernel computes them itself or they are rounded.
func TestSinglePrecision(t *testing.T) {
	dir, xs := filledWith(t, 300)
	s := open(t, Options{Dir: dir})
	strings := words(300)
	for name, p := range map[string]kernel.Pairs{"vectors": rbf(20, xs), "strings": kernel.Bind[string](overlap{"overlap"}, strings, strings)} {
		want, got := kernel.NewTile32(300, 300), kernel.NewTile32(300, 300)
		kernel.Fill32(p, want, 0, 0)
		before := s.Stats()
		for range 2 {
			kernel.Fill32(kernel.Cached(p, s), got, 0, 0)
			for i, v := range want.Data {
				if math.Float32bits(got.Data[i]) != math.Float32bits(v) {
					t.Fatalf("%s: number %d is %v, without a store %v", name, i, got.Data[i], v)
				}
			}
		}
		if n := s.Stats().Misses - before.Misses; n != map[string]int64{"vectors": 6, "strings": 9}[name] {
			t.Errorf("%s: %d tiles were computed and kept", name, n)
		}
	}
}

// TestCostlyProfiles: where the profile is the costly part, or each coordinate of the
// statistic, few columns are reason enough.
func TestCostlyProfiles(t *testing.T) {
	xs := data.MakeVectors(150, 2) // 2 blocks: 3 tiles
	for i := range xs.Raw() {
		xs.Raw()[i] = float64(i*i%101) / 101
	}
	for _, text := range []string{"matern(nu=0.7,sigma=1) + rbf(sigma=2)[0]", "periodic(period=0.3,sigma=1)"} {
		k, err := vec.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		s := open(t, Options{Dir: t.TempDir()})
		c := counts{s: s}
		p := kernel.Bind(k, xs, xs)
		for run := range int64(2) {
			same(t, text, dense(t, p, s, 2), dense(t, p, nil, 2))
			c.expect(t, text, 3*run, 3*(1-run))
		}
		r, err := kernel.BindReusable(t.Context(), k, xs, 0, s)
		if err != nil {
			t.Fatal(err)
		}
		c.last = s.Stats()
		reused, _ := r.Reuse(k)
		same(t, text+", reused", dense(t, reused, s, 2), dense(t, p, nil, 2))
		if c.s.Stats().Misses != c.last.Misses {
			t.Errorf("%s: reused, it is computed again", text)
		}
		var cross, want mat.Dense
		q := kernel.Bind(k, data.Subset(xs, []int{5, 1, 7}), xs)
		for dst, o := range map[*mat.Dense]compute.Options{&cross: {Store: s}, &want: {}} {
			if err := gram.Rect(t.Context(), dst, q, o); err != nil {
				t.Fatal(err)
			}
		}
		if !mat.Equal(&cross, &want) {
			t.Errorf("%s: a rectangular matrix has other elements", text)
		}
	}
}

// TestFolds: any rows of a set read the tiles of the whole set.
func TestFolds(t *testing.T) {
	dir, xs := filledWith(t, 300)
	s := open(t, Options{Dir: dir})
	for fold := range 3 {
		var train []int
		for i := range 300 {
			if (7*i+i*i)%3 != fold {
				train = append(train, i)
			}
		}
		part := gram.RowsOf(rbf(20, xs)).Bind(train, train)
		same(t, "a fold", dense(t, part, s, 2), dense(t, part, nil, 2))
	}
	if got := s.Stats(); got.Hits == 0 || got.Misses != 0 {
		t.Errorf("%+v: folds compute what is kept", got)
	}
}

// overlap counts the bytes that two strings share at the same place: a kernel on
// points that are not vectors, evaluated pair by pair.
type overlap struct{ name string }

func (k overlap) Eval(x, y string) float64 {
	n := 0
	for i := range min(len(x), len(y)) {
		if x[i] == y[i] {
			n++
		}
	}
	return float64(n) + float64(len(k.name))/8
}
func (k overlap) String() string { return k.name }

func words(n int) data.Slice[string] {
	out := make(data.Slice[string], n)
	for i := range out {
		out[i] = fmt.Sprintf("%b", i*i)
	}
	return out
}

// TestAnyPoints: kernels on other points keep their values, alone and in a sum.
func TestAnyPoints(t *testing.T) {
	dir, xs := t.TempDir(), words(200) // 2 blocks: 3 tiles
	bind := func(k kernel.Kernel[string]) kernel.Pairs {
		return kernel.Bind(k, data.Set[string](xs), data.Set[string](xs))
	}
	sum := kernel.Sum[string]{Terms: []kernel.Kernel[string]{overlap{"overlap"}, kernel.Scaled[string]{Factor: 2, Of: overlap{"other"}}}}
	s := open(t, Options{Dir: dir})
	c := counts{s: s}
	same(t, "alone", dense(t, bind(overlap{"overlap"}), s, 2), dense(t, bind(overlap{"overlap"}), nil, 2))
	c.expect(t, "alone", 0, 3)
	same(t, "in a sum", dense(t, bind(sum), s, 2), dense(t, bind(sum), nil, 2))
	c.expect(t, "in a sum", 3, 3)
	normal := kernel.Normalized[string]{Of: overlap{"overlap"}}
	same(t, "normalised", dense(t, bind(normal), s, 2), dense(t, bind(normal), nil, 2))
	c.expect(t, "normalised", 3, 0)
}

// TestCheapStatisticsAreComputed: what costs less than reading is not kept.
func TestCheapStatisticsAreComputed(t *testing.T) {
	s := open(t, Options{Dir: t.TempDir()})
	narrow := data.MakeVectors(300, 5)
	dense(t, kernel.Bind(vec.RBF{Sigma: 1}, narrow, narrow), s, 1)
	dense(t, rbf(20, points(40)), s, 1) // a small matrix
	xs := words(300)
	var diagonal [300]float64
	kernel.Diag(kernel.Cached(kernel.Bind[string](overlap{"overlap"}, xs, xs), s), diagonal[:])
	if got := s.Stats(); got.Hits+got.Misses != 0 {
		t.Errorf("%+v: nothing should have been kept", got)
	}
}

// TestStatisticsInMemory: what a search keeps in memory it takes from the store.
func TestStatisticsInMemory(t *testing.T) {
	dir, xs := filledWith(t, 300)
	s := open(t, Options{Dir: dir})
	r, err := kernel.BindReusable(t.Context(), vec.RBF{Sigma: 1}, xs, 0, s)
	if err != nil {
		t.Fatal(err)
	}
	c := counts{s: s}
	c.expect(t, "statistics in memory", 6, 0)
	p, shared := r.Reuse(vec.RBF{Sigma: 20})
	if !shared {
		t.Error("statistics from the store are not shared")
	}
	same(t, "reused", dense(t, p, s, 2), dense(t, rbf(20, xs), nil, 2))
	c.expect(t, "reused", 0, 0)
}

func filledWith(t *testing.T, n int) (string, data.Vectors) {
	t.Helper()
	dir, xs := t.TempDir(), points(n)
	s := open(t, Options{Dir: dir})
	dense(t, rbf(20, xs), s, 2)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return dir, xs
}

// TestConcurrentUse: many goroutines and two stores on one folder.
func TestConcurrentUse(t *testing.T) {
	dir, xs := t.TempDir(), points(300)
	want := dense(t, rbf(20, xs), nil, 2)
	var wg sync.WaitGroup
	for range 2 {
		s := open(t, Options{Dir: dir})
		p := kernel.Cached(rbf(20, xs), s)
		for range 3 {
			wg.Go(func() {
				got := mat.NewSymDense(300, nil)
				if err := gram.Fill(t.Context(), got, p, compute.Options{Workers: 3}); err != nil {
					t.Error(err)
				}
				if !mat.Equal(got, want) {
					t.Error("another matrix")
				}
			})
		}
		wg.Go(func() {
			if err := s.Flush(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

// TestAfterClose: pairs that outlive their store compute.
func TestAfterClose(t *testing.T) {
	dir, want := filled(t)
	s := open(t, Options{Dir: dir})
	p := kernel.Cached(rbf(20, points(300)), s)
	same(t, "open", dense(t, p, nil, 2), want)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	same(t, "closed", dense(t, p, nil, 2), want)
	same(t, "kept by a closed store", dense(t, rbf(20, points(300)), s, 2), want)
}

func TestOpenRefuses(t *testing.T) {
	file := t.TempDir() + "/file"
	write(t, file, []byte("not a folder"))
	for _, o := range []Options{{}, {Dir: file}, {Dir: t.TempDir(), MaxBytes: -1}} {
		if s, err := Open(o); err == nil {
			s.Close()
			t.Errorf("%+v was opened", o)
		}
	}
	if !bytes.Equal(read(t, file), []byte("not a folder")) {
		t.Error("the file has changed")
	}
}

// TestKeptPairsForward: tiles that are kept can do what the pairs can whose they are.
func TestKeptPairsForward(t *testing.T) {
	kerneltest.Forwards(t, kerneltest.Wrapping{Size: 2 * fewest, Kept: true, Wrap: func(p kernel.Pairs) kernel.Pairs {
		if identified, ok := p.(kernel.Identified); ok {
			return open(t, Options{Dir: t.TempDir()}).Cached(identified)
		}
		return nil
	}})
}
