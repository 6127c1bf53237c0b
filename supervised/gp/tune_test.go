package gp_test

import (
	"math"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/supervised/gp"
)

func tuneOn(t testing.TB, text string, xs data.Vectors, y []float64, o gp.TuneOptions) (kernel.Kernel[[]float64], float64, *gp.TuneReport) {
	t.Helper()
	k, noise, r, err := gp.Tune(t.Context(), parse(t, text), xs, y, o)
	if err != nil {
		t.Fatal(err)
	}
	return k, noise, r
}

// The evidence is at least that of scikit-learn with five restarts, and its gradient zero.
func TestTuneAgreesWithScikitLearn(t *testing.T) {
	for _, r := range readReference(t).Tuned {
		t.Run(r.Kernel, func(t *testing.T) {
			train := every(fields(t, r.File), 0, r.Step, r.Rows)
			xs, _ := vectors(t, train, nil, r.Columns)
			y := column(t, train, r.Target)
			standardise(y, nil)
			o := gp.TuneOptions{Options: gp.Options{Noise: 0.1, Mean: gp.Zero}, Restarts: 2}
			k, noise, report := tuneOn(t, strings.Replace(r.Kernel, "1*", "1.5*", 1), xs, y, o)
			// L-BFGS ends within 1e-5 of a zero gradient: the square of that in the evidence.
			if !(report.LogEvidence > r.Value-1e-6) || !report.Converged || report.Gradient > 1e-3 {
				t.Errorf("log evidence %.9f, want %.9f; %+v", report.LogEvidence, r.Value, report)
			}
			_, fitted, err := gp.Fit(t.Context(), k, xs, y, gp.Options{Noise: noise, Mean: gp.Zero})
			if err != nil {
				t.Fatal(err)
			}
			testkit.Close(t, "evidence of the fit", fitted.LogEvidence, report.LogEvidence, 1e-12)
		})
	}
}

// A column that does nothing gets a long width: automatic relevance determination.
func TestTuneFindsRelevance(t *testing.T) {
	rng := testkit.Rand(t, 8)
	xs, y := data.MakeVectors(60, 2), make([]float64, 60)
	for i := range y {
		xs.At(i)[0], xs.At(i)[1] = rng.NormFloat64(), rng.NormFloat64()
		y[i] = math.Sin(2*xs.At(i)[0]) + 0.1*rng.NormFloat64()
	}
	k, noise, r := tuneOn(t, "rbf(sigma=[1,1])", xs, y, gp.TuneOptions{Options: gp.Options{Noise: 0.1}})
	sigma := k.(kernel.Tunable[[]float64]).Parameters()
	if sigma[1].Value < 5*sigma[0].Value || noise < 0.005 || noise > 0.02 {
		t.Errorf("%s with noise %g", k, noise)
	}
	if !(r.LogEvidence > r.Start) || len(r.Searches) != 1 || r.Evaluations == 0 || r.Iterations == 0 {
		t.Errorf("%+v", r)
	}
}

func TestTuneKeepsWhatIsFixed(t *testing.T) {
	rng := testkit.Rand(t, 9)
	xs, y := wave(rng, 30, 2)
	k, noise, _ := tuneOn(t, "1.5*rbf(sigma=1)", xs, y, gp.TuneOptions{Options: gp.Options{Noise: 0.1}, FixedNoise: true, Fixed: []string{"sigma"}})
	if p := k.(kernel.Tunable[[]float64]).Parameters(); noise != 0.1 || p[1].Value != 1 || p[0].Value == 1.5 {
		t.Errorf("%s with noise %g", k, noise)
	}
}

// Targets on a line with a flat kernel: the noise vanishes, and the search says so; one that
// may not last says that, too.
func TestTuneWarns(t *testing.T) {
	xs, y := data.MakeVectors(25, 1), make([]float64, 25)
	for i := range y {
		xs.At(i)[0], y[i] = float64(i), float64(i)
	}
	warned := func(o gp.TuneOptions, want string) {
		_, _, r := tuneOn(t, "linear()", xs, y, o)
		if !strings.Contains(strings.Join(r.Warnings, "\n"), want) {
			t.Errorf("warnings %q, want one with %q; %+v", r.Warnings, want, r)
		}
	}
	warned(gp.TuneOptions{Options: gp.Options{Noise: 1}}, "at the bound")
	warned(gp.TuneOptions{Options: gp.Options{Noise: 1}, Evaluations: 2}, "before it converged")
}

func TestTuneSameBits(t *testing.T) {
	rng := testkit.Rand(t, 11)
	xs, y := wave(rng, 140, 2)
	first := ""
	for _, workers := range []int{1, 2, 3, 8} {
		o := gp.TuneOptions{Options: gp.Options{Noise: 0.1}, Restarts: 1, Seed: 3, Evaluations: 15}
		o.Compute.Workers = workers
		k, _, _ := tuneOn(t, "rbf(sigma=[1,1])", xs, y, o)
		if first == "" {
			first = k.String()
		}
		if k.String() != first {
			t.Errorf("%d workers: %s, with one %s", workers, k, first)
		}
	}
}

func TestTuneRefuses(t *testing.T) {
	xs, y := wave(testkit.Rand(t, 12), 10, 1)
	k := parse(t, "rbf(sigma=1)")
	for _, c := range []struct {
		want string
		y    []float64
		o    gp.TuneOptions
	}{
		{"all targets are 2", make([]float64, 10), gp.TuneOptions{Options: gp.Options{Noise: 1}}},
		{`no parameter "gamma"`, y, gp.TuneOptions{Options: gp.Options{Noise: 1}, Fixed: []string{"gamma"}}},
		{"nothing to tune", y, gp.TuneOptions{Fixed: []string{"sigma"}, FixedNoise: true}},
		{"noise = -1", y, gp.TuneOptions{Options: gp.Options{Noise: -1}}},
	} {
		if c.y[0] == 0 {
			for i := range c.y {
				c.y[i] = 2
			}
		}
		if _, _, _, err := gp.Tune(t.Context(), k, xs, c.y, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}

// The zero value of the options finds the noise, too: at zero it would interpolate. Where it is
// fixed it stays.
func TestTuneFindsTheNoiseByDefault(t *testing.T) {
	rng := testkit.Rand(t, 21)
	xs, y := data.MakeVectors(60, 1), make([]float64, 60)
	for i := range y {
		xs.At(i)[0] = 4 * rng.Float64()
		y[i] = math.Sin(2*xs.At(i)[0]) + 0.2*rng.NormFloat64()
	}
	_, noise, r := tuneOn(t, "rbf(sigma=1)", xs, y, gp.TuneOptions{})
	if noise < 0.02 || noise > 0.08 || r.Parameters[len(r.Parameters)-1].Name != "noise" {
		t.Errorf("noise %g, of a variance of 0.04; %+v", noise, r.Parameters)
	}
	rows := make([]float64, 60)
	for i := range rows {
		rows[i] = 0.04
	}
	if _, noise, _ = tuneOn(t, "rbf(sigma=1)", xs, y, gp.TuneOptions{Options: gp.Options{RowNoise: rows}}); noise != 0 {
		t.Errorf("rows have noise of their own, and σ² = %g", noise)
	}
}
