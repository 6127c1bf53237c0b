package vec_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
)

// expressions holds every kernel, alone and combined, for points of d coordinates in
// [0, 1).
func expressions(d int) []string {
	widths := "[0.5"
	for j := 1; j < d; j++ {
		widths += fmt.Sprintf(",%g", 0.5+0.25*float64(j%5))
	}
	widths += "]"
	all := []string{
		"linear()", "cosine()", "poly(degree=3,offset=1,scale=0.5)", "tanh(scale=0.3,offset=-0.2)", "white(value=2)", "constant(value=3)",
		"rbf(sigma=0.7)", "laplace(sigma=0.7)", "laplace1(sigma=0.7)", "matern(nu=0.5,sigma=0.7)", "matern(sigma=0.7)", "matern(nu=2.5,sigma=0.7)",
		"matern(nu=1.2,sigma=0.7)", "laplacepq(sigma=0.7,p=0.5)", "laplacepq(sigma=0.7,p=1.5,q=0.9)", "laplacepq(sigma=0.7,p=0.7)", "laplacepq(sigma=0.7,p=0.25)", "laplacepq(sigma=0.7,p=0.75,q=0.75)", "laplacepq(sigma=0.7,p=1.25)", "laplacepq(sigma=0.7,p=1.75)", "laplacepq(sigma=0.7,p=2,q=1.3)", "laplacepq(sigma=0.7,p=1,q=0.5)", "rq(alpha=0.8,sigma=0.7)", "periodic(period=0.4,sigma=1.3)", "min", "minmax", "chi2(gamma=0.3)", "chi2add",
		"js(gamma=0.3)", "jsadd", "hellinger", "gintersection(beta=0.3)", "gintersection(beta=0.5)*hellinger + min", "tanimoto", "dice", "tanimoto[0]*dice",
		"0.5*rbf(sigma=1) + poly(degree=2, offset=1)", "rbf(sigma=1)*linear()^2 + exp(of=0.1*linear())", "series(of=rbf(sigma=2),coefficients=[1,0.5,0.25])",
		"rbf(sigma=1)[0] * min[0] + 2*laplace1(sigma=3)", "(rbf(sigma=1)+linear())[0]", "normalize(of=poly(degree=2,offset=1))", "exp2sum[0]+exp2prod[0]+geometric[0]+cosdiff[0]+geometric_min[0]", "wave(period=0.3)[0]", "2*rbf(sigma=1)[0]*wave(period=0.7)[0] + 0.5*wave(period=3)[0]",
		"anova(of=rbf(sigma=0.7))", "anova(of=laplace1(sigma=0.7), degree=3)", "anova(of=laplace(sigma=0.7), weights=[0.5,0,2])", "anova(of=matern(sigma=0.7), degree=1)",
		"anova(of=linear())", "anova(of=min, degree=2)", "anova(of=0.5*rbf(sigma=1)+linear(), degree=2)[0]", "2*anova(of=rbf(sigma=1), degree=2)*rbf(sigma=1) + anova(of=matern(nu=1.2,sigma=1))",
		"wendland(k=0,radius=5)", "wendland(k=1,radius=2)", "wendland(k=2,radius=1.5)", "anova(of=wendland(k=1,radius=0.5))", "wendland(k=1,radius=0.7)[0] + linear()",
		"centred(of=rbf(sigma=0.7))", "centred(of=laplace1(sigma=0.7),center=0.3,spread=0.5)", "1 + anova(of=centred(of=rbf(sigma=0.7),spread=2),degree=2)",
		"arccos(order=0)", "arccos()", "arccos(order=2, depth=2)", "nngp()", "nngp(depth=3, weight=1.5, bias=0.3)", "nngp(depth=2, activation=erf, weight=3, bias=0.1)", "ntk(depth=3)", "ntk(depth=2, bias=0.2)",
		"ntk(depth=2, activation=erf, bias=0.1)", "0.1*ntk(depth=2)[0]*rbf(sigma=1) + arccos()[0] + cosine()",
		"deep(of=rbf(sigma=1), widths=[5, 3])", "deep(of=linear + matern(sigma=2)[0], widths=[4, 4, 2], activation=tanh, seed=3)", "deep(of=rbf(sigma=1), widths=[3, 2], activation=relu)*rbf(sigma=2)",
		"formula(\"x[0]*y[0]\") + rbf(sigma=1)", "formula(\"x*y\")[0]*rbf(sigma=1)",
	}
	for _, name := range []string{"rbf", "laplace", "laplace1", "matern", "rq"} {
		all = append(all, fmt.Sprintf("%s(sigma=%s)", name, widths))
	}
	all = append(all, fmt.Sprintf("wendland(k=2, radius=%s)", widths))
	for _, powers := range []string{"p=0.5", "p=0.7", "p=0.75", "p=1.75", "p=1", "p=1.5, q=0.75", "p=2, q=1.3"} {
		all = append(all, fmt.Sprintf("laplacepq(sigma=%s, %s)", widths, powers))
	}
	return all
}

func parse(t testing.TB, text string) vec.Kernel {
	t.Helper()
	k, err := vec.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// cloud returns n points of d coordinates, uniform in [0, 1), shifted.
func cloud(rng *rand.Rand, n, d int, shift float64) data.Vectors {
	xs := data.MakeVectors(n, d)
	for i := range xs.Raw() {
		xs.Raw()[i] = rng.Float64() + shift
	}
	return xs
}

// full computes all pairs in tiles of the given size.
func full(p kernel.Pairs, height, width int) kernel.Tile {
	n, m := p.Dims()
	out := kernel.NewTile(n, m)
	for i := 0; i < n; i += height {
		for j := 0; j < m; j += width {
			h, w := min(height, n-i), min(width, m-j)
			p.Tile(kernel.Tile{Rows: h, Cols: w, Stride: m, Data: out.Data[i*m+j:]}, i, j)
		}
	}
	return out
}

// tileTolerance bounds |tile − Eval| relative to max(1, |k|). The statistic is right
// to 16(d+3)u relative to itself (see keptShare) and the profiles used here amplify
// that by at most their condition t·|κ′(t)|/max(1, |κ|), which is below 4 for the
// combinations above, exponentials of sums included; 20u are for the profiles.
func tileTolerance(d int) float64 { return (4*16*float64(d+3) + 20) * 0x1p-53 }

func TestTilesAgreeWithEvalInTilesOfAnySize(t *testing.T) {
	testkit.SkipUnderRace(t)
	rng, widths := testkit.Rand(t, 2), []int{1, 5, 16, 17, 40}
	if testing.Short() {
		widths = []int{1, 17}
	}
	for _, d := range widths {
		rows, cols := cloud(rng, 11, d, 0), cloud(rng, 270, d, 0) // beyond one chunk of columns
		copy(cols.At(3), rows.At(5))                              // a pair of identical points
		for _, text := range expressions(d) {
			k := parse(t, text)
			p := kernel.Bind(k, rows, cols)
			whole := full(p, 11, 270)
			for i := range 11 {
				for j := range 270 {
					testkit.Close(t, fmt.Sprintf("%s (d=%d) at %d,%d", text, d, i, j), whole.Row(i)[j], k.Eval(rows.At(i), cols.At(j)), tileTolerance(d))
				}
			}
			for _, size := range [][2]int{{1, 1}, {3, 7}, {4, 255}, {5, 129}} {
				if got := full(p, size[0], size[1]); !same(got.Data, whole.Data) {
					t.Errorf("%s (d=%d): tiles of %v have other bits than the whole", text, d, size)
				}
			}
		}
	}
}

func same(a, b []float64) bool {
	for i, v := range a {
		if math.Float64bits(v) != math.Float64bits(b[i]) {
			return false
		}
	}
	return true
}

// Points that do not fit together would be truncated in silence.
func TestBindRefusesPointsOfUnequalLength(t *testing.T) {
	three, two := data.MakeVectors(4, 3), data.MakeVectors(4, 2)
	ragged := data.Slice[[]float64]{{1, 2}, {1}}
	for what, sets := range map[string][2]data.Set[[]float64]{
		"tile: row points have 3 coordinates and column points 2": {three, two},
		"tile: point 1 has 1 coordinates and point 0 has 2":       {two, ragged},
	} {
		func() {
			defer func() {
				if got := recover(); got != what {
					t.Errorf("recovered %v, want %s", got, what)
				}
			}()
			kernel.Bind(vec.Kernel(vec.RBF{}), sets[0], sets[1])
		}()
	}
	none := data.Slice[[]float64]{}
	if n, m := kernel.Bind(vec.Kernel(vec.RBF{}), none, two).Dims(); n != 0 || m != 4 {
		t.Errorf("no rows: %d×%d", n, m)
	}
}
