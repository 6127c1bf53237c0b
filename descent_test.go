package mercer_test

import (
	"path/filepath"
	"strings"
	"testing"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/supervised/falkon"
	"example.org/mercer/task"
)

// A model on landmarks that moved is one on the columns as they are, from its file as from the
// fit, and where the kernel has a map already, the descent goes on from it.
func TestFalkonMovesLandmarks(t *testing.T) {
	table := waves(t, 150)
	for _, kernel := range []string{"rbf(sigma=2)", "mahalanobis(of=rbf(sigma=2), scales=[0.5, 2, 0.5, 1])"} {
		p, err := task.New(background, table, waveSpec, kernel)
		if err != nil {
			t.Fatal(err)
		}
		method := falkonOn(8)
		method.Lambda, method.Descent = 1e-6, falkon.LandmarkOptions{Steps: 30}
		m, err := mercer.Fit(background, p, method, 1)
		if err != nil {
			t.Fatal(err)
		}
		r := m.Report.(*falkon.Report)
		if d := r.Optimized; d == nil || !(d.Judged[d.Best] < d.Judged[0]/10) || r.Stages[0].Name == "" {
			t.Fatalf("%s: descent %+v", kernel, d)
		}
		path := filepath.Join(t.TempDir(), "moved.mercer")
		if err := m.Save(background, path); err != nil {
			t.Fatal(err)
		}
		again, err := mercer.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, model := range []*mercer.Model{m, again} {
			prediction, err := model.Test(background, table, compute.Options{})
			if err != nil {
				t.Fatal(err)
			}
			scores, err := prediction.Scores()
			if err != nil {
				t.Fatal(err)
			}
			if mse := scores[0].RMSE * scores[0].RMSE; mse > 2*r.Optimized.Judged[r.Optimized.Best] {
				t.Errorf("%s: mean squared error %v of all rows, %v of those that judged", kernel, mse, r.Optimized.Judged[r.Optimized.Best])
			}
		}
	}
}

func TestLandmarksThatCannotMove(t *testing.T) {
	for want, c := range map[string]struct {
		kernel    string
		updatable bool
	}{
		"along gradients": {"periodic(period=1, sigma=1)", false},
		"(updatable)":     {"rbf(sigma=1)", true},
	} {
		p, err := task.New(background, waves(t, 40), waveSpec, c.kernel)
		if err != nil {
			t.Fatal(err)
		}
		method := falkonOn(8)
		method.Lambda, method.Descent, method.Updatable = 1e-6, falkon.LandmarkOptions{Steps: 3}, c.updatable
		if _, err := mercer.Fit(background, p, method, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", c.kernel, err)
		}
	}
}
