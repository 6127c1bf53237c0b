package settings

import (
	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
)

// NoteCoded says that a method which predicts numbers fits the codes of labels.
func NoteCoded(g *learner.Given, method string, targets []prep.Target) {
	for _, t := range targets {
		if t.Labels != nil {
			g.Note("note: target %s holds labels: %s fits their codes −1 and +1 by least squares; svc and klr are made for labels", t.Name, method)
			return
		}
	}
}
