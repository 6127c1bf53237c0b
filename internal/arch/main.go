package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

func main() {
	write := flag.Bool("w", false, "write the table into DESIGN.md instead of printing it")
	platforms := flag.String("platforms", "", "instead of that, check that the project compiles on these, such as windows/amd64,linux/arm64")
	flag.Parse()
	var err error
	if *platforms == "" {
		err = run(*write)
	}
	for platform := range strings.SplitSeq(*platforms, ",") {
		if platform != "" {
			err = errors.Join(err, checkPlatform(".", platform))
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "arch:", err)
		os.Exit(1)
	}
}

func run(write bool) error {
	t, err := readTree(".")
	if err != nil {
		return err
	}
	if !write {
		_, err = os.Stdout.WriteString(table(t))
		return err
	}
	name := filepath.Join(t.root, "DESIGN.md")
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	before, _, after, err := cutTable(string(text))
	if err != nil {
		return err
	}
	return os.WriteFile(name, []byte(before+table(t)+after), 0o644)
}

// What stands between these two lines of DESIGN.md is printed by this command.
const (
	tableBegins = "<!-- go run ./internal/arch -w -->\n"
	tableEnds   = "<!-- end of the table -->\n"
)

// cutTable cuts the text of DESIGN.md before and after its table.
func cutTable(text string) (before, table, after string, err error) {
	before, rest, begins := strings.Cut(text, tableBegins)
	table, after, ends := strings.Cut(rest, tableEnds)
	if !begins || !ends {
		return "", "", "", fmt.Errorf("DESIGN.md has no table between the lines %q and %q: put them where it shall stand", tableBegins, tableEnds)
	}
	return before + tableBegins, table, tableEnds + after, nil
}

// table returns the order as a table in Markdown, from the ground up.
func table(t *tree) string {
	var b strings.Builder
	b.WriteString("| level | package | what it is | imported by |\n|---|---|---|---|\n")
	for _, l := range order {
		by := "any later level"
		if l.private != "" {
			by = "`" + strings.Join(strings.Fields(l.private), "` `") + "`"
		}
		if l.private == "nobody" {
			by = "tests"
		}
		title := l.title
		for _, name := range strings.Fields(l.packages) {
			var holds string
			if pkg := t.find(name); pkg != nil {
				holds = firstSentence(pkg.doc)
			}
			fmt.Fprintf(&b, "| %s | `%s` | %s | %s |\n", title, name, holds, by)
			title, by = "", ""
		}
	}
	return b.String()
}

var docLink = regexp.MustCompile(`\[([A-Za-z.]+)\]`)

// firstSentence returns what a package comment says first, without "Package name" and without
// the formulas that it leads up to.
func firstSentence(doc string) string {
	doc, _, _ = strings.Cut(doc, "\n\n") // a formula stands in a paragraph of its own
	text := strings.Join(strings.Fields(doc), " ")
	for _, kind := range []string{"Package ", "Command "} {
		if rest, ok := strings.CutPrefix(text, kind); ok {
			_, text, _ = strings.Cut(rest, " ")
			break
		}
	}
	if end := strings.Index(text, ". "); end >= 0 {
		text = text[:end]
	}
	text = strings.TrimRight(text, ".,:")
	text = docLink.ReplaceAllString(text, "$1")
	return strings.ReplaceAll(text, "|", `\|`)
}
