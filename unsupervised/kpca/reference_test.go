package kpca_test

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/unsupervised/kpca"
	"example.org/mercer/unsupervised/pca"
)

func TestScikitLearn(t *testing.T) {
	raw, err := os.ReadFile("testdata/sklearn.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []struct {
			Data, Kernel string
			Train        int
			Eigenvalues  []float64
			TrainScores  [][]float64 `json:"train_scores"`
			NewScores    [][]float64 `json:"new_scores"`
		}
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) != 2 {
		t.Fatalf("%d cases", len(file.Cases))
	}
	for _, c := range file.Cases {
		xs := table(t, c.Data, 4)
		train := make([]int, c.Train)
		for i := range train {
			train[i] = i
		}
		text := map[bool]string{true: "rbf(gamma=0.5)", false: "poly(degree=3, offset=1)"}[c.Kernel[0] == 'r']
		e, report := fit(t, parse(t, text), xs.Gather(train), kpca.Options{Components: 5})
		for j, want := range c.Eigenvalues {
			testkit.Close(t, "eigenvalue", report.Variances[j]*float64(c.Train), want, 1e-10)
		}
		z := scores(t, e, xs)
		closeColumns(t, c.Kernel+" training scores", mat.DenseCopyOf(z.Slice(0, 5, 0, 5)), dense(c.TrainScores), 1e-8)
		closeColumns(t, c.Kernel+" new scores", mat.DenseCopyOf(z.Slice(c.Train, c.Train+10, 0, 5)), dense(c.NewScores), 1e-8)
	}
}

func dense(rows [][]float64) *mat.Dense {
	out := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, r := range rows {
		out.SetRow(i, r)
	}
	return out
}

// table reads the first d columns of a public table.
func table(t *testing.T, name string, d int) data.Vectors {
	t.Helper()
	f, err := os.Open(testkit.Shared(t, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.FieldsPerRecord = -1
	lines, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	xs := data.MakeVectors(len(lines), d)
	for i, line := range lines {
		for j := range d {
			if xs.At(i)[j], err = strconv.ParseFloat(line[j], 64); err != nil {
				t.Fatal(err)
			}
		}
	}
	return xs
}

// The two packages agree on variances, shares and scores, of new points and with weights.
func TestLinearKernelIsPackagePCA(t *testing.T) {
	xs, zs, weights := points(t, 14, 40, 3), points(t, 15, 10, 3), make([]float64, 40)
	for i := range weights {
		weights[i] = 1 + float64(i%3)
	}
	e, report := fit(t, parse(t, "linear()"), xs, kpca.Options{Weights: weights})
	m, want, err := pca.Fit(t.Context(), xs, pca.Options{Weights: weights})
	if err != nil {
		t.Fatal(err)
	}
	testkit.CloseSlice(t, "variances", report.Variances, want.Variances, 1e-12)
	testkit.CloseSlice(t, "ratio", report.Ratio, want.Ratio, 1e-12)
	z, err := m.Transform(zs)
	if err != nil {
		t.Fatal(err)
	}
	closeColumns(t, "new scores", scores(t, e, zs), z, 1e-10)
}
