package distance

import (
	"fmt"
	"slices"
	"strings"

	"example.org/mercer/compute"
	"example.org/mercer/learner"
	"example.org/mercer/learner/settings"
	"example.org/mercer/supervised/mahalanobis"
	"example.org/mercer/task"
)

// RFMSettings are the settings of recursive feature machines.
type RFMSettings struct {
	m         RFM
	precision string
}

// The defaults of recursive feature machines.
const (
	defaultRFMLambda = 1e-5
	defaultJudges    = 0.2
	leastLeaf        = 10
)

// rfmShapes are those of M that a machine may have.
var rfmShapes = append(slices.Clone(mahalanobis.Shapes), mahalanobis.Identity)

// RFMShapes are the names of the shapes that M may have.
func RFMShapes() []string { return settings.Words(rfmShapes...) }

func (s *RFMSettings) Flags(fs learner.Flags) {
	fs.Float64Var(&s.m.Lambda, "lambda", 0, fmt.Sprintf("λ in (1/N)Σ w(y−f)² + λ‖f‖²; default %g", defaultRFMLambda))
	fs.Float64Var(&s.m.Ridge, "ridge", 0, "Nλ instead of --lambda")
	fs.StringVar((*string)(&s.m.Shape), "metric-shape", string(mahalanobis.Diagonal), "of M: "+strings.Join(RFMShapes(), ", ")+" (no metric: the distance of the kernel)")
	fs.IntVar(&s.m.Rounds, "rounds", 5, "most metrics to try")
	fs.Float64Var(&s.m.Power, "power", 1, "of the outer product, such as 0.5")
	fs.BoolVar(&s.m.Centred, "centre-gradients", false, "take the mean gradient off the gradients")
	fs.Float64Var(&s.m.Validation, "validation", defaultJudges, "share of the rows that judge the rounds; 0: exact leave-one-out errors")
	fs.BoolVar(&s.m.Last, "last-round", false, "keep the last round: no rows judge")
	fs.IntVar(&s.m.Leaves, "leaves", 0, "divide more rows than this by a tree, a machine for each leaf of at most as many; 0: one machine for all")
	fs.StringVar(&s.precision, "precision", compute.Single.String(), "of the factors of judged rounds: single, refined to a residual in double precision, or double")
}

func (s *RFMSettings) Learner(t *task.Task, g *learner.Given) (learner.Learner, error) {
	m := s.m
	switch {
	case g.Has("lambda") && g.Has("ridge"):
		return nil, settings.ErrTwoPenalties
	case !(m.Lambda >= 0) || !(m.Ridge >= 0):
		return nil, settings.Errorf("--lambda is %g and --ridge %g: a penalty is at least 0", m.Lambda, m.Ridge)
	case !slices.Contains(rfmShapes, m.Shape):
		return nil, settings.Errorf("--metric-shape %q is not known; there are %q", m.Shape, rfmShapes)
	case m.Rounds < 1 || !(m.Power > 0 && m.Power <= 2) || !(m.Validation >= 0 && m.Validation < 1):
		return nil, settings.Errorf("--rounds is %d, --power %g and --validation %g: rounds are at least 1, the power lies in (0, 2], the share in [0, 1)", m.Rounds, m.Power, m.Validation)
	}
	if m.Leaves < 0 || m.Leaves > 0 && m.Leaves < leastLeaf {
		return nil, settings.Errorf("--leaves is %d: a leaf has at least %d rows; 0 divides nothing", m.Leaves, leastLeaf)
	}
	how, err := settings.InPrecision(g.Compute, s.precision)
	if err != nil {
		return nil, err
	}
	m.Compute, m.Precision = g.Compute, how.Precision
	if !g.Has("lambda") && !g.Has("ridge") {
		m.Lambda = defaultRFMLambda
		settings.NoteLambda(g, m.Lambda)
	}
	if t != nil {
		settings.NoteCoded(g, m.Name(), t.Prep.Targets())
	}
	m.Seed = g.Seed
	return m, nil
}
