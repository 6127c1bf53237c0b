package gallery

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"example.org/mercer/cmd/mercer/internal/figure"
)

// Figure says what a figure is about.
type Figure struct {
	Name    string `json:"name"` // of its files
	Title   string `json:"title"`
	Formula string `json:"formula"`
	Lecture string `json:"lecture"` // where it belongs, from [Drawings]
	See     string `json:"see"`     // what to see
	// Commands draw the same from the user's own data.
	Commands []string `json:"commands,omitempty"`
	Takes    Takes    `json:"takes,omitempty"`

	draw func(ctx context.Context, s *figureContext) (figure.Picture, error)
}

// Takes says which points of the user can replace the sample of a figure.
type Takes string

// What a figure takes.
const (
	Nothing Takes = ""
	Number  Takes = "a number"                // one numeric column
	Curve   Takes = "a number and a target"   // and a numeric target
	Plane   Takes = "two numbers"             // two numeric columns; labels are shown where there are any
	Classes Takes = "two numbers and a label" // labels of two or more classes
)

// Figures returns all figures, in the order of the subject.
func Figures() []Figure {
	all := slices.Concat(featureMapFigures, kernelFigures, eigenFigures, networkFigures, distanceFigures, structureFigures, spaceFigures, ridgeFigures, lossFigures,
		classFigures, componentFigures, surfaceFigures, denoiseFigures, clusterFigures, mixtureFigures)
	for i := range all {
		all[i].Lecture = lectureOf(all[i].Name)
	}
	return all
}

// Choose returns the figures of the given names, all if there are none.
func Choose(names []string) ([]Figure, error) {
	all := Figures()
	if len(names) == 0 {
		return all, nil
	}
	var out []Figure
	for _, name := range names {
		i := slices.IndexFunc(all, func(f Figure) bool { return f.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("gallery: there is no figure %q; there are %s", name, strings.Join(Names(), ", "))
		}
		out = append(out, all[i])
	}
	return out, nil
}

// Names returns the names of all figures.
func Names() []string {
	var out []string
	for _, f := range Figures() {
		out = append(out, f.Name)
	}
	return out
}
