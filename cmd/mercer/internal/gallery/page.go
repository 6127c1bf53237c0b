package gallery

import (
	"bytes"
	"fmt"
)

// Page returns the Markdown page of this project's documentation: the index, with the
// pictures in a folder, then every drawing of the lectures with the figure that draws it.
func (g *Gallery) Page(folder, command string) []byte {
	b := bytes.NewBuffer(g.markdown(folder))
	fmt.Fprintf(b, "\n## Every drawing of the lectures\n\n| lecture | section | figure |\n|---|---|---|\n")
	for _, d := range Drawings() {
		drawn := "`" + d.Figure + "`"
		if d.Figure == "" {
			drawn = "not drawn: " + d.Why
		}
		fmt.Fprintf(b, "| %s | %s | %s |\n", d.Lecture, d.Section, drawn)
	}
	fmt.Fprintf(b, "\nThis page and its pictures are renewed by `%s`.\n", command)
	return b.Bytes()
}
