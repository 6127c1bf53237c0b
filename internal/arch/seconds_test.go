package main

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// waiting lists the tests that sleep or look at a clock, and why: what they assert does not
// depend on how fast the machine is. A test that compares a duration with a limit fails on a busy
// machine; count work, inject the clock, or wait for a sign that a step has been reached.
var waiting = map[string]string{
	"cmd/mercer/internal/cli/kill_test.go": "a deadline of a minute ends the wait for a process that does not begin",
	"internal/atomicfile/write_test.go":    "a writer is killed at any moment: every one is right",
	"internal/pages/smaps_linux_test.go":   "the system changes pages when it likes",
	"kernel/kerneltest/run_test.go":        "two calls are made to overlap",
	"model/run_test.go":                    "stages add up to what a clock around them shows",
}

// TestNoSeconds finds comparisons with durations, sleeping, and contexts that end after a time (a
// testkit.Countdown ends at a place), in tests that are no benchmarks.
// It goes by syntax: time.Since and variables that hold it, time.Now().After, Elapsed of a clock.
func TestNoSeconds(t *testing.T) {
	found := theTree(t).comparedSeconds()
	for file, at := range found {
		if waiting[file] == "" {
			t.Errorf("%s compares durations or sleeps: count work instead, or wait for a sign", strings.Join(at, " "))
		}
	}
	for file := range waiting {
		if found[file] == nil {
			t.Errorf("%s compares no durations: delete it from the list", file)
		}
	}
}

// comparedSeconds finds the places by file.
func (t *tree) comparedSeconds() places {
	found := places{}
	for _, pkg := range t.packages {
		for _, f := range pkg.tests {
			if !importsTime(f) {
				continue
			}
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || fn.Body == nil || strings.HasPrefix(fn.Name.Name, "Benchmark") {
					continue
				}
				held := map[string]bool{}
				ast.Inspect(fn.Body, func(n ast.Node) bool {
					if asksTheClock(n, held) {
						found.add(f.path, t.at(n.Pos()))
					}
					return true
				})
			}
		}
	}
	return found
}

func importsTime(f *file) bool {
	return slices.ContainsFunc(f.Imports, func(spec *ast.ImportSpec) bool { return spec.Path.Value == `"time"` })
}

// asksTheClock reports whether a node sleeps or compares a duration, and notes variables that
// hold one.
func asksTheClock(n ast.Node, held map[string]bool) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for i, value := range n.Rhs {
			if len(n.Lhs) == len(n.Rhs) && measures(value, held) {
				held[typeName(n.Lhs[i])] = true
			}
		}
	case *ast.BinaryExpr:
		switch n.Op {
		case token.LSS, token.GTR, token.LEQ, token.GEQ:
			return measures(n.X, held) || measures(n.Y, held)
		}
	case *ast.CallExpr:
		switch written(n.Fun) {
		case "time.Sleep", "context.WithTimeout", "context.WithDeadline":
			return true
		}
		if sel, ok := n.Fun.(*ast.SelectorExpr); ok && (sel.Sel.Name == "After" || sel.Sel.Name == "Before") {
			call, ok := sel.X.(*ast.CallExpr)
			return ok && written(call.Fun) == "time.Now"
		}
	}
	return false
}

// measures reports whether an expression contains a duration that was measured.
func measures(e ast.Expr, held map[string]bool) bool {
	yes := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if written(n.Fun) == "time.Since" {
				yes = true
			}
			if sel, ok := n.Fun.(*ast.SelectorExpr); ok && len(n.Args) == 0 && sel.Sel.Name == "Elapsed" {
				yes = true
			}
		case *ast.Ident:
			yes = yes || held[n.Name]
		}
		return true
	})
	return yes
}
