package gallery_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"example.org/mercer/cmd/mercer/internal/gallery"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
)

var update = flag.Bool("update", false, "renew docs/guide/gallery.md and its pictures")

// all draws everything once.
var all = sync.OnceValues(func() (*gallery.Gallery, error) {
	dir, err := os.MkdirTemp("", "gallery")
	if err != nil {
		return nil, err
	}
	return gallery.Draw(context.Background(), dir, gallery.Figures(), gallery.Options{Seed: 1}, nil)
})

func TestMain(m *testing.M) {
	code := m.Run()
	if g, err := all(); err == nil {
		os.RemoveAll(g.Dir)
	}
	os.Exit(code)
}

func drawn(t *testing.T) *gallery.Gallery {
	t.Helper()
	g, err := all()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func read(t *testing.T, g *gallery.Gallery, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(g.Dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// TestEveryDrawing wants a figure, with both files and an entry in both indices, for
// every drawing of the lectures.
func TestEveryDrawing(t *testing.T) {
	g := drawn(t)
	markdown, html := string(read(t, g, g.Markdown)), string(read(t, g, g.HTML))
	names := map[string]bool{}
	for _, f := range g.Figures {
		names[f.Name] = true
		if _, err := png.Decode(bytes.NewReader(read(t, g, f.PNG))); err != nil {
			t.Errorf("%s: %v", f.PNG, err)
		}
		for _, part := range []string{f.Title, f.PNG, f.SVG, f.Formula, f.See, f.Lecture} {
			if part == "" || !strings.Contains(markdown, part) {
				t.Errorf("README.md does not say %q of %s", part, f.Name)
			}
		}
		if !strings.Contains(html, `src="`+f.SVG+`"`) || !strings.Contains(html, `href="#`+f.Name+`"`) {
			t.Errorf("index.html does not show %s", f.Name)
		}
	}
	covered := map[string]bool{}
	for _, d := range gallery.Drawings() {
		covered[d.Figure] = true
		if d.Figure == "" && d.Why == "" || d.Figure != "" && !names[d.Figure] {
			t.Errorf("%s: %s is drawn by %q", d.Lecture, d.Section, d.Figure)
		}
	}
	for name := range names {
		if !covered[name] {
			t.Errorf("%s belongs to no lecture", name)
		}
	}
}

// TestSameBytes draws again, with another number of workers.
func TestSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("draws every figure a second time")
	}
	g := drawn(t)
	o := gallery.Options{Seed: 1}
	o.Compute.Workers = 3
	again, err := gallery.Draw(context.Background(), t.TempDir(), gallery.Figures(), o, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range again.Figures {
		for _, name := range []string{f.PNG, f.SVG} {
			if !bytes.Equal(read(t, g, name), read(t, again, name)) {
				t.Errorf("%s has other bytes", name)
			}
		}
	}
}

// TestOtherSeed sees that points come from the seed.
func TestOtherSeed(t *testing.T) {
	g := drawn(t)
	figures, err := gallery.Choose([]string{"lift", "krr"})
	if err != nil {
		t.Fatal(err)
	}
	other, err := gallery.Draw(context.Background(), t.TempDir(), figures, gallery.Options{Seed: 2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range other.Figures {
		if bytes.Equal(read(t, g, f.SVG), read(t, other, f.SVG)) {
			t.Errorf("%s does not depend on the seed", f.Name)
		}
	}
}

// TestSharedData draws Old Faithful and the USPS digits. Three tied components reach the
// log-likelihood −1126.3 that scikit-learn prints in its documentation of this data set.
func TestSharedData(t *testing.T) {
	if testing.Short() {
		t.Skip("denoises the USPS digits")
	}
	root := testkit.Shared(t, ".")
	figures, err := gallery.Choose([]string{"em", "denoise"})
	if err != nil {
		t.Fatal(err)
	}
	g, err := gallery.Draw(context.Background(), t.TempDir(), figures, gallery.Options{Seed: 1, Data: root}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(read(t, g, "em.svg")), "ln L = -1126.3") {
		t.Error("three tied components do not reach the log-likelihood −1126.3")
	}
	for _, f := range g.Figures {
		if f.Note != "" {
			t.Errorf("%s calls real data %q", f.Name, f.Note)
		}
	}
	for _, f := range drawn(t).Figures {
		if slices.Contains([]string{"em", "denoise"}, f.Name) && !strings.Contains(f.Note, "stand-in") {
			t.Errorf("%s does not say that its data are a stand-in", f.Name)
		}
	}
}

// TestWithoutData names the places that were looked at.
func TestWithoutData(t *testing.T) {
	figures, err := gallery.Choose([]string{"em"})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, err = gallery.Draw(context.Background(), t.TempDir(), figures, gallery.Options{Data: dir}, nil); err == nil || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "faithful.csv") {
		t.Errorf("a folder without the data: %v", err)
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	figures := gallery.Figures()
	dir := t.TempDir()
	_, err := gallery.Draw(ctx, dir, figures, gallery.Options{}, func(name string) {
		if name == figures[2].Name {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("after the cancellation: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, figures[2].Name+".png")); err == nil {
		t.Error("the figure was drawn after the cancellation")
	}
}

func TestChoose(t *testing.T) {
	if _, err := gallery.Choose([]string{"lifts"}); err == nil || !strings.Contains(err.Error(), "lift, quadratic") {
		t.Errorf("an unknown figure: %v", err)
	}
}

// table is a table of two classes, with columns of very different size.
func table() *data.Table {
	t := &data.Table{Source: "points.csv", Columns: []data.Column{{Name: "height"}, {Name: "kind", Kind: data.Text}, {Name: "weight"}}}
	for i := range 40 {
		x := float64(i%7)*100 + float64(i)
		t.Columns[0].Numbers = append(t.Columns[0].Numbers, x)
		t.Columns[1].Strings = append(t.Columns[1].Strings, []string{"oak", "elm"}[i%2])
		t.Columns[2].Numbers = append(t.Columns[2].Numbers, float64(i%2)*1e-3+float64((i*i)%11)*1e-4)
	}
	return t
}

// TestOwnPoints draws every figure that takes points from the same table.
func TestOwnPoints(t *testing.T) {
	for _, f := range gallery.Figures() {
		if f.Takes == gallery.Nothing {
			p := &gallery.Points{}
			if _, err := gallery.Draw(context.Background(), t.TempDir(), []gallery.Figure{f}, gallery.Options{Points: p}, nil); err == nil {
				t.Errorf("%s took points", f.Name)
			}
			continue
		}
		columns := gallery.Columns{X: "height", Y: "weight"}
		switch f.Takes {
		case gallery.Classes:
			columns.Target = "kind"
		case gallery.Curve:
			columns.Target = "weight"
		}
		p, err := gallery.FromTable(table(), f.Takes, columns)
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		g, err := gallery.Draw(context.Background(), t.TempDir(), []gallery.Figure{f}, gallery.Options{Seed: 1, Points: p}, nil)
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		svg := read(t, g, g.Figures[0].SVG)
		if !bytes.Contains(svg, []byte("height")) && f.Name != "polar" && f.Name != "centring" && f.Name != "irls" {
			t.Errorf("%s does not name the column", f.Name)
		}
		checkText(t, f.Name, svg)
		if !strings.Contains(g.Figures[0].Note, "points.csv") {
			t.Errorf("%s does not name the table", f.Name)
		}
	}
}

func TestFromTableRefuses(t *testing.T) {
	missing := table()
	missing.Columns[0].Missing = make([]bool, 40)
	missing.Columns[0].Missing[3] = true
	constant := table()
	for i := range constant.Columns[0].Numbers {
		constant.Columns[0].Numbers[i] = 5
	}
	long := &data.Table{Source: "long.csv", Columns: []data.Column{{Name: "a", Numbers: make([]float64, 2001)}}}
	for name, c := range map[string]struct {
		table   *data.Table
		takes   gallery.Takes
		columns gallery.Columns
		says    string
	}{
		"no target":       {table(), gallery.Classes, gallery.Columns{}, "--target"},
		"unknown column":  {table(), gallery.Plane, gallery.Columns{X: "hight"}, "hight"},
		"text column":     {table(), gallery.Plane, gallery.Columns{X: "kind"}, "kind"},
		"too few columns": {table(), gallery.Plane, gallery.Columns{Target: "height"}, "1 numeric"},
		"missing cell":    {missing, gallery.Plane, gallery.Columns{}, "missing"},
		"constant column": {constant, gallery.Plane, gallery.Columns{}, "height"},
		"too many labels": {table(), gallery.Plane, gallery.Columns{X: "weight", Y: "weight", Target: "height"}, "more than 10 labels"},
		"too many rows":   {long, gallery.Number, gallery.Columns{}, "2001 rows"},
		"one label":       {constant, gallery.Classes, gallery.Columns{X: "weight", Y: "weight", Target: "height"}, "one label"},
	} {
		if _, err := gallery.FromTable(c.table, c.takes, c.columns); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestOwnTarget takes the labels of a format that says which column they are.
func TestOwnTarget(t *testing.T) {
	labelled := table()
	labelled.Target = "kind"
	for _, takes := range []gallery.Takes{gallery.Classes, gallery.Plane} {
		p, err := gallery.FromTable(labelled, takes, gallery.Columns{})
		if err != nil || p.Target != "kind" || !slices.Equal(p.Named, []string{"oak", "elm"}) {
			t.Errorf("%s: %+v, %v", takes, p, err)
		}
	}
	if p, err := gallery.FromTable(labelled, gallery.Classes, gallery.Columns{X: "height", Y: "height", Target: "weight"}); err == nil && p.Target != "weight" {
		t.Errorf("a target that was named is %q", p.Target)
	}
}

// TestIndexGrows draws one more figure into a folder, and the first again.
func TestIndexGrows(t *testing.T) {
	dir := t.TempDir()
	draw := func(o gallery.Options, names ...string) *gallery.Gallery {
		t.Helper()
		figures, err := gallery.Choose(names)
		if err != nil {
			t.Fatal(err)
		}
		g, err := gallery.Draw(context.Background(), dir, figures, o, nil)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	p, err := gallery.FromTable(table(), gallery.Classes, gallery.Columns{Target: "kind"})
	if err != nil {
		t.Fatal(err)
	}
	draw(gallery.Options{Seed: 1, Points: p}, "polar")
	g := draw(gallery.Options{Seed: 1}, "losses", "bumps")
	if len(g.Figures) != 2 {
		t.Errorf("%d figures were drawn, want 2", len(g.Figures))
	}
	markdown, html := string(read(t, g, g.Markdown)), string(read(t, g, g.HTML))
	last := -1
	for _, name := range []string{"polar.png", "bumps.png", "losses.png"} { // the order of the subject
		at := strings.Index(markdown, "]("+name+")")
		if at <= last || strings.Count(markdown, "]("+name+")") != 1 || strings.Count(html, `href="`+name+`"`) != 1 {
			t.Errorf("%s stands at %d of the index, the one before at %d", name, at, last)
		}
		last = at
	}
	if !strings.Contains(markdown, "Drawn from points.csv.") {
		t.Error("the index forgot the table of the earlier figure")
	}
	g = draw(gallery.Options{Seed: 1}, "polar")
	if strings.Contains(string(read(t, g, g.Markdown)), "Drawn from points.csv.") {
		t.Error("the index keeps the table of a figure that was drawn again")
	}
}

// TestPage compares docs/guide/gallery.md with what is drawn now; pictures have the bytes of
// the machine that drew them.
func TestPage(t *testing.T) {
	const file, folder, command = "../../../../docs/guide/gallery.md", "../pictures/gallery/", "go test ./cmd/mercer/internal/gallery -run TestPage -update"
	g := drawn(t)
	page := g.Page(folder, command)
	if *update {
		if err := os.MkdirAll("../../../../docs/guide/"+folder, 0o777); err != nil {
			t.Fatal(err)
		}
		for _, f := range g.Figures {
			if err := os.WriteFile("../../../../docs/guide/"+folder+f.PNG, read(t, g, f.PNG), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(file, page, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	there, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(there, page) {
		t.Errorf("docs/guide/gallery.md is not of today: run %s", command)
	}
	size := int64(0)
	for _, f := range g.Figures {
		info, err := os.Stat("../../../../docs/guide/" + folder + f.PNG)
		if err != nil {
			t.Fatal(err)
		}
		size += info.Size()
	}
	if size > 3<<20 {
		t.Errorf("the pictures take %d bytes, more than 3 MiB", size)
	}
}

func Example() {
	figures, err := gallery.Choose([]string{"min-kernel"})
	if err != nil {
		fmt.Println(err)
		return
	}
	dir, err := os.MkdirTemp("", "figures")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	g, err := gallery.Draw(context.Background(), dir, figures, gallery.Options{Seed: 1}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(g.Figures[0].PNG, g.Figures[0].SVG, g.Markdown, g.HTML)
	fmt.Println(g.Figures[0].Lecture)
	// Output:
	// min-kernel.png min-kernel.svg README.md index.html
	// Mairal, Examples of Kernels and Unsupervised Learning: The min kernel, figure 1
}
