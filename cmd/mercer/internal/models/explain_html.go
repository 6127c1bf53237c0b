package models

import (
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"strings"

	"example.org/mercer"
	"example.org/mercer/cmd/mercer/internal/verb"
)

//go:embed explain.html
var explainPage string

// page writes the predictions as one HTML file that needs no other.
func (x brokenDown) page(ctx context.Context, w io.Writer) error {
	t, err := template.New("explain").Funcs(template.FuncMap{
		"num": verb.Num, "brief": verb.Brief, "spoken": spoken, "where": where, "lines": htmlLines,
		"drawing": func(t mercer.Term) (template.HTML, error) { return drawing(ctx, t) },
	}).Parse(explainPage)
	if err != nil {
		return err
	}
	return t.Execute(w, x)
}

// drawing is the graph of a term as SVG within a page: without the lines before the element.
func drawing(ctx context.Context, t mercer.Term) (template.HTML, error) {
	pic, err := shaded(ctx, t, "", mercer.Sides{})
	if err != nil {
		return "", err
	}
	svg, err := pic.SVG()
	if err != nil {
		return "", err
	}
	_, element, _ := strings.Cut(string(svg), "<svg")
	return template.HTML("<svg" + element), nil // drawn here; texts in it are escaped by the drawing
}

// htmlLine is a line of a sequence, and htmlRun are neighbours in it with the same share.
type htmlLine struct {
	From int
	Runs []htmlRun
}

type htmlRun struct {
	Text, Class, Title string
	Colour             template.CSS
}

// htmlLines breaks a sequence into lines of spans.
func htmlLines(places []mercer.Place) []htmlLine {
	largest, words := largestShare(places), wordy(places)
	var out []htmlLine
	width := lineWidth
	for i, p := range places {
		if width += cell(p, words); width > lineWidth || i == 0 {
			out, width = append(out, htmlLine{From: i + 1}), cell(p, words)
		}
		line := &out[len(out)-1]
		run := htmlRun{Text: p.Symbol}
		if words {
			run.Text += " "
		}
		if share := p.Contribution / largest; math.Abs(share) >= 0.05 {
			run.Class, run.Colour = "plus", tint(213, 94, 0, share)
			if share < 0 {
				run.Class, run.Colour = "minus", tint(0, 114, 178, -share)
			}
			run.Title = fmt.Sprintf("place %s: %s", p.Name, verb.Num(p.Contribution))
		} else if last := len(line.Runs) - 1; last >= 0 && line.Runs[last].Class == "" {
			line.Runs[last].Text += run.Text
			continue
		}
		line.Runs = append(line.Runs, run)
	}
	return out
}

// tint is a colour on white, pale enough for black letters.
func tint(r, g, b int, share float64) template.CSS {
	return template.CSS(fmt.Sprintf("rgba(%d,%d,%d,%.2f)", r, g, b, 0.6*share))
}
