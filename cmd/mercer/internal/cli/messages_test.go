package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.org/mercer/cmd/mercer/internal/verb"
)

// optionName matches an option as a program writes it.
var optionName = regexp.MustCompile(`\b[a-z]+\.(Spec|Options)\b|\b(NoTarget|NoIntercept|NoOneHot|MaxMemory|MaxIterations|LambdaBy|PerColumn)\b|\bmissing = `)

// flagName matches an option as the command has it.
var flagName = regexp.MustCompile(`(?:^|[\s('"])--([a-z][a-z0-9-]+)`)

// TestMessagesSpeakOfFlags reads the messages in the source: none says an option by its name in Go,
// and every flag that one tells to give is a flag of some verb.
func TestMessagesSpeakOfFlags(t *testing.T) {
	known := map[string]bool{"help": true}
	verb.Walk(newRoot(&verb.Invocation{}), func(cmd *cobra.Command) {
		cmd.InheritedFlags() // joins them to its own
		cmd.Flags().VisitAll(func(f *pflag.Flag) { known[f.Name] = true })
	})
	seen := 0
	messages(t, func(at, text string) {
		seen++
		if name := optionName.FindString(text); name != "" {
			t.Errorf("%s: %q says %q, which is no word of the command", at, text, name)
		}
		for _, found := range flagName.FindAllStringSubmatch(text, -1) {
			if !known[found[1]] {
				t.Errorf("%s: %q tells of --%s, which no verb has", at, text, found[1])
			}
		}
	})
	if seen < 1000 {
		t.Errorf("only %d messages were found", seen)
	}
}

// messages calls use for every text in the packages below the command that is given to a function
// or a field whose name says that it is a message.
func messages(t *testing.T, use func(at, text string)) {
	t.Helper()
	files := token.NewFileSet()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "internal" && filepath.Base(filepath.Dir(path)) == "simd" || d.Name() == "bench" || d.Name() == "gen" || d.Name() == "beam" || d.Name() == "site"): // which have flags of their own
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			for _, text := range said(n) {
				if words, err := strconv.Unquote(text.Value); err == nil {
					use(files.Position(text.Pos()).String(), words)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// said returns the texts of a call or a field that make a message.
func said(n ast.Node) []*ast.BasicLit {
	var from []ast.Expr
	switch n := n.(type) {
	case *ast.CallExpr:
		switch f := n.Fun.(type) {
		case *ast.SelectorExpr:
			if regexp.MustCompile(`^(Errorf|Usagef|Add|Note|New|fail|note|failColumn)$`).MatchString(f.Sel.Name) {
				from = n.Args
			}
		case *ast.Ident:
			if regexp.MustCompile(`^(settingf|at|notStreamable)$`).MatchString(f.Name) {
				from = n.Args
			}
		}
	case *ast.KeyValueExpr:
		if key, ok := n.Key.(*ast.Ident); ok && (key.Name == "Fix" || key.Name == "Reason") {
			from = []ast.Expr{n.Value}
		}
	}
	var texts []*ast.BasicLit
	for _, e := range from {
		ast.Inspect(e, func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
				texts = append(texts, text)
			}
			return true
		})
	}
	return texts
}
