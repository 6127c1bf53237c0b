package outcome

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/metric"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/svm"
)

// Scores say how well the predictions of one target meet a table: NumberScores for a
// numeric target, and for the codes ±1 of labels where the method predicts these;
// LabelScores for a target with labels; StructuredScores for structured outputs.
type Scores struct {
	Target string `json:"target"`
	*NumberScores
	*LabelScores
	*QuantileScores
	*StructuredScores
}

// QuantileScores compare the quantiles of a number.
type QuantileScores struct {
	Taus    []float64 `json:"taus"`
	Pinball []float64 `json:"pinball"` // the loss that each minimises
	Below   []float64 `json:"below"`   // share of the rows that are below each: τ, if all is well
}

// NumberScores compare numbers.
type NumberScores struct {
	RMSE float64 `json:"rmse"` // root mean squared error
	MAE  float64 `json:"mae"`  // mean absolute error
	R2   float64 `json:"r2"`   // coefficient of determination
}

// LabelScores compare labels, and what stands behind them. Of the pointers those are
// nil that the model cannot say (probabilities), or the table (one class only).
type LabelScores struct {
	Labels    []string    `json:"labels"`
	Accuracy  float64     `json:"accuracy"`
	Errors    int         `json:"errors"` // rows with a wrong label
	Balanced  float64     `json:"balanced_accuracy"`
	MacroF1   float64     `json:"macro_f1"`
	Confusion [][]float64 `json:"confusion"`     // [true][predicted], in the order of Labels
	AUC       *float64    `json:"auc,omitempty"` // of more classes the mean over one against the rest
	LogLoss   *float64    `json:"log_loss,omitempty"`
	Brier     *float64    `json:"brier,omitempty"`
	// CalibrationError is that of the probability of the predicted label, in 10 bins.
	CalibrationError *float64 `json:"calibration_error,omitempty"`
}

// Scores compares the predictions with the targets of the table they were made for,
// weighted by its row weights where it has them.
func (p *Prediction) Scores() ([]Scores, error) {
	if p.Rows.Y == nil {
		return nil, errors.New("the table has no target column to compare with")
	}
	if !p.Decision.targeted() {
		return nil, fmt.Errorf("the outputs of the model (%s) do not speak of the target of the table", strings.Join(p.Outputs, ", "))
	}
	n, _ := p.Values.Dims()
	if n == 0 {
		return nil, errors.New("the table has no rows to compare with")
	}
	var all []Scores
	from := 0
	for k, t := range p.Targets {
		width := t.Outputs()
		y := p.Rows.Y.Slice(0, n, from, from+width).(*mat.Dense)
		s := Scores{Target: t.Name}
		if p.Decision.Rule == Coded {
			measured := krr.Measure(y, p.Values.Slice(0, n, from, from+width).(*mat.Dense), p.Rows.W)
			s.NumberScores = &NumberScores{RMSE: average(measured.RMSE), MAE: average(measured.MAE), R2: average(measured.R2)}
		}
		if p.Decision.Rule == Ordered {
			s.QuantileScores = p.quantileScores(mat.Col(nil, 0, y))
		}
		if p.Decision.Rule == PreImage {
			s.StructuredScores = p.structuredScores(t, y)
		}
		if t.Labels != nil {
			s.LabelScores = p.labelScores(k, y)
		}
		all = append(all, s)
		from += width
	}
	return all, nil
}

// quantileScores compares every quantile with y.
func (p *Prediction) quantileScores(y []float64) *QuantileScores {
	s := &QuantileScores{Taus: p.Decision.Taus}
	lowest := slices.Repeat([]float64{math.Inf(-1)}, len(y))
	for j, tau := range s.Taus {
		f := mat.Col(nil, j, p.Values)
		s.Pinball = append(s.Pinball, metric.Pinball(y, f, tau, p.Rows.W))
		s.Below = append(s.Below, metric.Coverage(y, lowest, f, p.Rows.W))
	}
	return s
}

// labelScores compares the labels of one target, of which y holds the codes.
func (p *Prediction) labelScores(target int, y *mat.Dense) *LabelScores {
	t, w := p.Targets[target], p.Rows.W
	n, _ := y.Dims()
	truth, predicted := make([]int, n), make([]int, n)
	s := &LabelScores{Labels: t.Labels}
	for i := range n {
		truth[i], predicted[i] = t.Class(y.RawRowView(i)), p.Class(i, target)
		if truth[i] != predicted[i] {
			s.Errors++
		}
	}
	s.Confusion = metric.Confusion(truth, predicted, len(t.Labels), w)
	s.Accuracy, s.Balanced, s.MacroF1 = metric.Accuracy(s.Confusion), metric.Balanced(s.Confusion), metric.MacroF1(s.Confusion)
	q := p.Probabilities()
	s.AUC = finite(p.auc(target, truth, q))
	if q != nil {
		s.LogLoss, s.Brier = finite(metric.LogLoss(truth, q, w)), finite(metric.Brier(truth, q, w))
		sure, right := make([]float64, n), make([]bool, n)
		for i, c := range predicted {
			sure[i], right[i] = q.At(i, c), c == truth[i]
		}
		s.CalibrationError = finite(metric.CalibrationError(metric.Reliability(right, sure, w, reliabilityBins)))
	}
	return s
}

// reliabilityBins is the number of intervals of [metric.Reliability].
const reliabilityBins = 10

// auc returns the area under the curve of the outputs that speak for a class, averaged
// over the classes where there are more than two; NaN where no output does.
func (p *Prediction) auc(target int, truth []int, probabilities *mat.Dense) float64 {
	m, sum, classes := len(p.Targets[target].Labels), 0.0, 0.0
	for c := range m {
		if m == 2 && c == 0 {
			continue
		}
		score := p.classScore(target, c, probabilities)
		if score == nil {
			return math.NaN()
		}
		positive := make([]bool, len(truth))
		for i, v := range truth {
			positive[i] = v == c
		}
		if a := metric.AUC(positive, score, p.Rows.W); !math.IsNaN(a) {
			sum += a
			classes++
		}
	}
	return sum / classes
}

// classScore returns for every row a number that is larger where a class is likelier:
// its probability, or an output; nil where there is neither.
func (p *Prediction) classScore(target, class int, q *mat.Dense) []float64 {
	if q != nil && (len(p.Outputs) > 1 || p.Decision.Rule == Centres) {
		rows, _ := q.Dims()
		return mat.Col(make([]float64, rows), class, q)
	}
	m, at := len(p.Targets[target].Labels), 0
	for _, t := range p.Targets[:target] {
		at += t.Outputs() // of the rule Coded, which alone has more targets
	}
	switch {
	case p.Decision.Rule == Votes && (m > 2 && p.Decision.Votes.Scheme != svm.OneVsRest || p.Decision.Votes.Positive[0] != class && m == 2):
		return nil
	case m > 2:
		at += class
	}
	n, _ := p.Values.Dims()
	return mat.Col(make([]float64, n), at, p.Values)
}

// finite returns a number that is one, else nil.
func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

func average(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}
