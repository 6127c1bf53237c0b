package gallery

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

const introduction = "The figures that the lectures on kernel methods show or describe, computed by the methods of mercer on generated points, or on the data that a note names. Every picture is there as PNG and as SVG."

// notesFile keeps the notes of the figures in a folder, for an index that grows.
const notesFile = "gallery.json"

// index writes README.md and index.html of all figures in the folder, in the order of the
// subject: those drawn now, and those whose files were there before.
func (g *Gallery) index(ctx context.Context) error {
	all := *g
	all.Figures = nil
	before := notesOf(g.Dir)
	now := map[string]string{}
	for _, f := range Figures() {
		d := Drawn{Figure: f, Note: before[f.Name], PNG: f.Name + ".png", SVG: f.Name + ".svg"}
		if i := slices.IndexFunc(g.Figures, func(d Drawn) bool { return d.Name == f.Name }); i >= 0 {
			d = g.Figures[i]
		} else if !isFile(filepath.Join(g.Dir, d.PNG)) || !isFile(filepath.Join(g.Dir, d.SVG)) {
			continue
		}
		all.Figures, now[f.Name] = append(all.Figures, d), d.Note
	}
	html, err := all.html()
	if err != nil {
		return err
	}
	kept, err := json.MarshalIndent(now, "", "  ")
	if err != nil {
		return fmt.Errorf("gallery: %w", err)
	}
	for name, content := range map[string][]byte{g.Markdown: all.markdown(""), g.HTML: html, notesFile: append(kept, '\n')} {
		if err := writeFile(ctx, filepath.Join(g.Dir, name), content); err != nil {
			return err
		}
	}
	return nil
}

// notesOf returns those of the figures that a folder has; a folder without its file has none.
func notesOf(dir string) map[string]string {
	var out map[string]string
	if raw, err := os.ReadFile(filepath.Join(dir, notesFile)); err != nil || json.Unmarshal(raw, &out) != nil {
		return nil
	}
	return out
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// UserCommand returns the command that draws the figure from the user's own table, "" where it
// takes none.
func (f Figure) UserCommand() string {
	switch f.Takes {
	case Number:
		return fmt.Sprintf("mercer gallery %s table.csv --x column -o pictures", f.Name)
	case Curve:
		return fmt.Sprintf("mercer gallery %s table.csv --x column --target column -o pictures", f.Name)
	case Plane:
		return fmt.Sprintf("mercer gallery %s table.csv --x column --y column -o pictures", f.Name)
	case Classes:
		return fmt.Sprintf("mercer gallery %s table.csv --x column --y column --target label -o pictures", f.Name)
	}
	return ""
}

// AllCommands returns every command that draws the figure, the gallery's first.
func (f Figure) AllCommands() []string {
	if own := f.UserCommand(); own != "" {
		return append([]string{own}, f.Commands...)
	}
	return f.Commands
}

// markdown returns the index as Markdown; the pictures lie in a folder that is named from
// it.
func (g *Gallery) markdown(folder string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Gallery\n\n%s\n\n", introduction)
	for _, f := range g.Figures {
		fmt.Fprintf(&b, "- [%s](#%s)\n", f.Title, anchor(f.Title))
	}
	for _, f := range g.Figures {
		fmt.Fprintf(&b, "\n## %s\n\n![%s](%s)\n\n`%s`\n\n%s\n\n", f.Title, f.Title, folder+f.PNG, f.Formula, f.See)
		if f.Note != "" {
			fmt.Fprintf(&b, "%s\n\n", f.Note)
		}
		fmt.Fprintf(&b, "%s.", f.Lecture)
		if folder == "" {
			fmt.Fprintf(&b, " As [SVG](%s).", f.SVG)
		}
		b.WriteByte('\n')
		if commands := f.AllCommands(); len(commands) > 0 {
			fmt.Fprintf(&b, "\nFrom your own data:\n\n    %s\n", strings.Join(commands, "\n    "))
		}
	}
	return b.Bytes()
}

// anchor returns the link target that renderers of Markdown give to a heading.
func anchor(title string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(title) {
		switch {
		case r == ' ':
			b.WriteByte('-')
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(r)
		}
	}
	return b.String()
}

var page = template.Must(template.New("index").Parse(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>mercer: gallery</title>
<style>
body { font-family: sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; line-height: 1.5; color: #222; background: #fff; }
figure { margin: 0 0 1rem; }
img { max-width: 100%; height: auto; }
pre { background: #f3f3f3; padding: 0.6rem; overflow-x: auto; }
.formula { font-style: italic; }
</style>
</head>
<body>
<h1>Gallery</h1>
<p>{{.Introduction}}</p>
<ul>
{{- range .Figures}}
<li><a href="#{{.Name}}">{{.Title}}</a></li>
{{- end}}
</ul>
{{- range .Figures}}
<section id="{{.Name}}">
<h2>{{.Title}}</h2>
<figure><img src="{{.SVG}}" alt="{{.Title}}"></figure>
<p class="formula">{{.Formula}}</p>
<p>{{.See}}{{with .Note}} {{.}}{{end}}</p>
<p>{{.Lecture}}. As <a href="{{.PNG}}">PNG</a>, <a href="{{.SVG}}">SVG</a>.</p>
{{- with .AllCommands}}
<p>From your own data:</p>
<pre>{{range .}}{{.}}
{{end}}</pre>
{{- end}}
</section>
{{- end}}
</body>
</html>
`))

// html returns the index as a page.
func (g *Gallery) html() ([]byte, error) {
	var b bytes.Buffer
	err := page.Execute(&b, struct {
		Introduction string
		Figures      []Drawn
	}{introduction, g.Figures})
	if err != nil {
		return nil, fmt.Errorf("gallery: %w", err)
	}
	return b.Bytes(), nil
}
