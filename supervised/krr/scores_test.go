package krr_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/supervised/krr"
)

func TestMeasureByHand(t *testing.T) {
	y := mat.NewDense(3, 2, []float64{
		1, 5,
		2, 5,
		6, 5,
	})
	predicted := mat.NewDense(3, 2, []float64{
		2, 5,
		2, 8,
		4, 5,
	})
	// Target 0: residuals −1, 0, 2; mean 3, spread 4+1+9 = 14. Target 1 is constant.
	s := krr.Measure(y, predicted, nil)
	testkit.Close(t, "MSE, mean of 5/3 and 9/3", s.MSE(), (5./3+3)/2, 1e-15)
	testkit.CloseSlice(t, "RMSE", s.RMSE, []float64{1.2909944487358056, 1.7320508075688772}, 1e-15) // √(5/3), √3
	testkit.CloseSlice(t, "MAE", s.MAE, []float64{1, 1}, 1e-15)
	testkit.CloseSlice(t, "R²", s.R2, []float64{1 - 5./14, 0}, 1e-15)
	if s.Accuracy != nil {
		t.Errorf("accuracy %v of targets that are not signs", s.Accuracy)
	}
	// Weights 2, 1, 0 count row 0 twice and leave row 2 out: mean 4/3, spread 2/3.
	s = krr.Measure(y, predicted, []float64{2, 1, 0})
	testkit.CloseSlice(t, "weighted MAE", s.MAE, []float64{2. / 3, 1}, 1e-15)
	testkit.CloseSlice(t, "weighted R²", s.R2, []float64{1 - 2/(2./3), 0}, 1e-14)
}

func TestAccuracyIsTheShareOfRightSigns(t *testing.T) {
	y := mat.NewDense(4, 1, []float64{1, -1, 1, -1})
	predicted := mat.NewDense(4, 1, []float64{0.2, 0.1, 7, 0}) // right, wrong, right, undecided
	testkit.CloseSlice(t, "accuracy", krr.Measure(y, predicted, nil).Accuracy, []float64{0.5}, 0)
	testkit.CloseSlice(t, "weighted accuracy", krr.Measure(y, predicted, []float64{1, 1, 2, 0}).Accuracy, []float64{0.75}, 0)
}

// The codes of one target of three labels are decided together: by the largest output, the first
// of equals. Several +1 in a row are no such code.
func TestDecidedIsTheShareOfLargestOutputs(t *testing.T) {
	y := mat.NewDense(4, 3, []float64{1, -1, -1, -1, 1, -1, -1, -1, 1, 1, -1, -1})
	predicted := mat.NewDense(4, 3, []float64{0.2, 0.1, -3, 0.5, 0.4, -1, -0.9, -0.8, -0.7, 2, 2, 1})
	if s := krr.Measure(y, predicted, nil); s.Decided == nil || *s.Decided != 0.75 {
		t.Errorf("decided %v, want 3 of 4", s.Decided)
	}
	if s := krr.Measure(y, predicted, []float64{1, 3, 0, 0}); *s.Decided != 0.25 {
		t.Errorf("weighted, decided %v, want 1 of 4", *s.Decided)
	}
	y.Set(0, 1, 1)
	if s := krr.Measure(y, predicted, nil); s.Decided != nil || s.Accuracy == nil {
		t.Errorf("two labels in a row: decided %v, accuracy %v", s.Decided, s.Accuracy)
	}
}
