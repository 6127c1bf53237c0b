package gmm

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"example.org/mercer/data"
	"example.org/mercer/model"
)

// Criterion compares mixtures by their likelihood and their size; smaller is better. See
// [Report] for the formulas.
type Criterion string

const (
	BIC Criterion = "bic" // of Schwarz: consistent for the number of components
	AIC Criterion = "aic" // of Akaike: more components, closer densities
	ICL Criterion = "icl" // BIC and the entropy of the assignments: clusters that do not overlap
)

// Criteria are all of them.
var Criteria = []Criterion{BIC, AIC, ICL}

// of returns the value of the criterion.
func (c Criterion) of(r *Report) float64 {
	switch c {
	case AIC:
		return r.AIC
	case ICL:
		return r.ICL
	}
	return r.BIC
}

// Candidate is a mixture that was compared with others.
type Candidate struct {
	K             int     `json:"k"`
	Shape         Shape   `json:"shape"`
	LogLikelihood float64 `json:"log_likelihood"`
	Parameters    int     `json:"parameters"`
	BIC           float64 `json:"bic"`
	AIC           float64 `json:"aic"`
	ICL           float64 `json:"icl"`
	Converged     bool    `json:"converged"`
	// Collapsed says that covariances are at the floor or components lost: the
	// likelihood is then a matter of the floor.
	Collapsed bool `json:"collapsed,omitempty"`
}

// Choices are the mixtures to choose from.
type Choices struct {
	Least, Most int     // numbers of components
	Shapes      []Shape // empty means [Full]
	By          Criterion
}

func (c *Choices) check() error {
	var problems []error
	if c.Least < 1 || c.Most < c.Least {
		problems = append(problems, fmt.Errorf("gmm: the numbers of components %d to %d are not a range from 1 on", c.Least, c.Most))
	}
	for _, s := range c.Shapes {
		if !s.known() {
			problems = append(problems, fmt.Errorf("gmm: the shape %q is not known; one of %q is", s, Shapes))
		}
	}
	if c.By != "" && !slices.Contains(Criteria, c.By) {
		problems = append(problems, fmt.Errorf("gmm: the criterion %q is not known; one of %q is", c.By, Criteria))
	}
	return errors.Join(problems...)
}

// Choose fits every mixture of the choices and returns the one with the smallest criterion,
// the first of several: by shape, then by number of components. Mixtures that have collapsed are
// not chosen where any has not: their likelihood is as large as the floor allows. The report of the
// one that was chosen lists all; its stages are those of all fits.
func Choose(ctx context.Context, x data.Rows, c Choices, o Options) (*Mixture, *Report, error) {
	if err := c.check(); err != nil {
		return nil, nil, err
	}
	if len(c.Shapes) == 0 {
		c.Shapes = []Shape{Full}
	}
	if o.Start != nil && (c.Least < c.Most || len(c.Shapes) > 1) {
		return nil, nil, fmt.Errorf("gmm: a start fixes the mixture, and there is a choice of %d to %d components and %d shapes: give no start", c.Least, c.Most, len(c.Shapes))
	}
	watch := model.NewStopwatch()
	var best *Mixture
	var chosen *Report
	var tried []Candidate
	for _, shape := range c.Shapes {
		for k := c.Least; k <= c.Most; k++ {
			m, r, err := Fit(ctx, x, k, shape, o)
			if err != nil {
				return nil, nil, err
			}
			tried = append(tried, r.candidate())
			if chosen == nil || better(r, chosen, c.By) {
				best, chosen = m, r
			}
		}
	}
	if len(tried) == 1 {
		return best, chosen, nil
	}
	chosen.Candidates, chosen.Stages, chosen.Seconds = tried, nil, 0
	watch.Lap(&chosen.Run, "compare")
	return best, chosen, nil
}

// better prefers mixtures that have not collapsed, then smaller criteria.
func better(r, than *Report, by Criterion) bool {
	if a, b := r.collapsed(), than.collapsed(); a != b {
		return b
	}
	return by.of(r) < by.of(than)
}

func (r *Report) collapsed() bool { return r.Floored > 0 || r.Lost > 0 }

func (r *Report) candidate() Candidate {
	return Candidate{K: r.K, Shape: r.Shape, LogLikelihood: r.LogLikelihood, Parameters: r.Parameters, BIC: r.BIC, AIC: r.AIC, ICL: r.ICL,
		Converged: r.Converged, Collapsed: r.collapsed()}
}
