package check

import (
	"errors"
	"fmt"
)

// Options says where to look for a counter-example and for how long. The zero value
// checks on the real line within about a second.
type Options struct {
	Domain Domain // of every coordinate; default Reals
	Dim    int    // coordinates of a point; default 1, or that of the given rows
	Seed   uint64 // of the random sets; the same seed gives the same report
	// Budget is the number of evaluations of the kernel in float64; default
	// 2,000,000/(1 + Dim/64)/(1 + p/16) of one that is made of p others.
	Budget int
	Prec   uint // bits of the certificate; default 200
	// Progress, if not nil, is told how much of the budget is spent.
	Progress func(stage string, done, total int64)
}

// Limits of the options.
const (
	defaultBudget = 2_000_000
	defaultPrec   = 200
	leastPrec     = 96 // float64 products must be far from its rounding
	mostPrec      = 4096
	mostDim       = 10_000
)

// checked fills in the defaults for a kernel of so many parts, or returns an error that names
// every problem.
func (o Options) checked(parts int) (Options, error) {
	o.Domain = o.Domain.orReals()
	var problems []error
	if o.Domain.given {
		if o.Domain.rows.Len() == 0 {
			problems = append(problems, errors.New("there are no rows to check on"))
		}
		if o.Dim != 0 && o.Dim != o.Domain.rows.Dim() {
			problems = append(problems, fmt.Errorf("dim = %d, but the rows have %d coordinates; leave dim out", o.Dim, o.Domain.rows.Dim()))
		}
		o.Dim = o.Domain.rows.Dim()
	} else if o.Dim == 0 {
		o.Dim = 1
	}
	if o.Dim < 0 || o.Dim > mostDim {
		problems = append(problems, fmt.Errorf("dim = %d must be between 1 and %d", o.Dim, mostDim))
	}
	if o.Budget == 0 {
		o.Budget = defaultBudget / (1 + max(o.Dim, 0)/64) / (1 + parts/16)
	}
	if o.Budget < 0 {
		problems = append(problems, fmt.Errorf("budget = %d must be a positive number of kernel evaluations", o.Budget))
	}
	if o.Prec == 0 {
		o.Prec = defaultPrec
	}
	if o.Prec < leastPrec || o.Prec > mostPrec {
		problems = append(problems, fmt.Errorf("prec = %d must be between %d and %d bits", o.Prec, leastPrec, mostPrec))
	}
	if len(problems) > 0 {
		return o, fmt.Errorf("check: %w", errors.Join(problems...))
	}
	return o, nil
}
