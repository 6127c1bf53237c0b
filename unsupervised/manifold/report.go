package manifold

import (
	"fmt"

	"example.org/mercer/model"
	"example.org/mercer/unsupervised/pca"
)

// Report says what was found.
type Report struct {
	N          int    `json:"n"`
	Method     string `json:"way"`
	Components int    `json:"components"`           // those found
	Neighbours int    `json:"neighbours,omitempty"` // of every point
	Edges      int    `json:"edges,omitempty"`      // of the graph of neighbours
	// Eigenvalues belong to the coordinates: of scaling and Isomap those of −½HD²H, of the walks
	// the μ, of LLE those of (I−W)ᵀ(I−W).
	Eigenvalues []float64 `json:"eigenvalues,omitempty"`
	// Ratio is Eigenvalues/trace, of scaling and Isomap: it can exceed 1 in sum where distances are
	// not Euclidean.
	Ratio []float64 `json:"ratio,omitempty"`
	// Stress is √(Σ(‖zᵢ−zⱼ‖ − dᵢⱼ)²/Σdᵢⱼ²), d being what was scaled: Kruskal's first.
	Stress     float64 `json:"stress,omitempty"`
	Iterations int     `json:"iterations,omitempty"`

	model.Run
}

// TrainingRows is the number of rows that the map was found of.
func (r *Report) TrainingRows() int { return r.N }

// Lines returns the report as people read it.
func (r *Report) Lines() []model.Line {
	lines := []model.Line{model.CountLine("rows", r.N), model.Linef("coordinates", "%d, by %s", r.Components, r.Method)}
	if r.Edges > 0 {
		lines = append(lines, model.Linef("graph", "%d edges, each point joined with its %d nearest", r.Edges, r.Neighbours))
	}
	if r.Eigenvalues != nil {
		text := ""
		for i, v := range r.Eigenvalues[:min(len(r.Eigenvalues), 6)] {
			if i > 0 {
				text += ", "
			}
			text += model.FormatNumber(v)
		}
		lines = append(lines, model.Linef("eigenvalues", "%s", text))
	}
	if r.Ratio != nil {
		lines = append(lines, pca.ExplainedLine(r.Ratio))
	}
	if r.Stress > 0 {
		steps := ""
		if r.Iterations > 0 {
			steps = fmt.Sprintf(" after %d steps", r.Iterations)
		}
		lines = append(lines, model.Linef("stress", "%s%s", model.FormatNumber(r.Stress), steps))
	}
	return append(lines, model.FormLine())
}

// ExplainedRatio returns Ratio.
func (r *Report) ExplainedRatio() []float64 { return r.Ratio }
