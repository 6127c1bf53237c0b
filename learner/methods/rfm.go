package methods

import (
	"example.org/mercer/learner"
	"example.org/mercer/learner/distance"
	"example.org/mercer/learner/settings"
)

// RFM is recursive feature machines.
type RFM = distance.RFM

var rfmSpec = &learner.Spec{
	Name:  "rfm",
	Title: "recursive feature machines: ridge regression that learns its distance",
	Purpose: `Kernel ridge regression in rounds, whose distance (x−y)ᵀM(x−y) is learned: M is a power of the average outer product of the
gradients of the round before (Radhakrishnan, Beaglehole, Pandit and Belkin 2024; xRFM 2025). The round with the least error
on rows left out is kept. Targets are numbers, or labels coded by ±1 (then the largest output wins).`,
	Examples: []string{
		`train.csv --target price --lambda 1e-5`,
		`train.csv --target kind --metric-shape full --kernel 'laplacepq(sigma=median, p=1.5)'`,
	},
	Start:         "laplace(sigma=median)",
	Probabilities: true,
	Conformal:     true,
	Tuned:         []string{"lambda", "power"},
	Settings:      func() learner.Settings { return &distance.RFMSettings{} },
	ReadReport:    distance.ReadRFM,
	Words:         map[string][]string{"metric-shape": distance.RFMShapes(), "precision": settings.Precisions},
}
