package gallery

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/internal/atomicfile"
)

// Drawn is a figure that has been written.
type Drawn struct {
	Figure
	Note string `json:"note,omitempty"` // of the data, for the caption
	PNG  string `json:"png"`            // names of files in the folder
	SVG  string `json:"svg"`
}

// Gallery is what was written into a folder.
type Gallery struct {
	Dir      string  `json:"dir"`
	Figures  []Drawn `json:"figures"`
	Markdown string  `json:"markdown"`
	HTML     string  `json:"html"`
}

// Draw draws figures into a folder, which is made if it is not there: NAME.png and
// NAME.svg for each, README.md and index.html, which show the figures that were drawn there
// before, too. progress, if not nil, is called with the name
// of each figure before it is drawn. The same seed and data give the same bytes. Errors:
// those of the data, of the methods and of files; the end of ctx.
func Draw(ctx context.Context, dir string, figures []Figure, o Options, progress func(name string)) (*Gallery, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("gallery: %w", err)
	}
	out := &Gallery{Dir: dir, Markdown: "README.md", HTML: "index.html"}
	for _, f := range figures {
		if progress != nil {
			progress(f.Name)
		}
		s := &figureContext{Options: o, name: f.Name}
		if f.Takes == Nothing && o.Points != nil {
			return nil, fmt.Errorf("gallery: the figure %s takes no points of a table", f.Name)
		}
		picture, err := f.picture(ctx, s)
		if err != nil {
			return nil, err
		}
		d := Drawn{Figure: f, Note: s.note, PNG: f.Name + ".png", SVG: f.Name + ".svg"}
		if o.Points != nil {
			d.Note = "Drawn from " + o.Points.Source + "."
		}
		if err := write(ctx, dir, d, picture); err != nil {
			return nil, err
		}
		out.Figures = append(out.Figures, d)
	}
	return out, out.index(ctx)
}

// picture computes what the figure shows.
func (f Figure) picture(ctx context.Context, s *figureContext) (figure.Picture, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("gallery: %w", err)
	}
	picture, err := f.draw(ctx, s)
	if err != nil {
		return nil, fmt.Errorf("figure %s: %w", f.Name, err)
	}
	return picture, nil
}

func write(ctx context.Context, dir string, d Drawn, picture figure.Picture) error {
	png, err := picture.PNG()
	if err != nil {
		return fmt.Errorf("figure %s: %w", d.Name, err)
	}
	svg, err := picture.SVG()
	if err != nil {
		return fmt.Errorf("figure %s: %w", d.Name, err)
	}
	if err := writeFile(ctx, filepath.Join(dir, d.PNG), png); err != nil {
		return err
	}
	return writeFile(ctx, filepath.Join(dir, d.SVG), svg)
}

func writeFile(ctx context.Context, path string, content []byte) error {
	return atomicfile.Write(ctx, path, func(w io.Writer) error { _, err := w.Write(content); return err })
}
