package main

import (
	"go/ast"
	"testing"
)

// Where kernel expressions are parsed: twice, at the door of the library and at that of the
// command. Whoever needs the expression afterwards is handed the node.
const maxParsed = 2

// What has to go on the way there, in the whole tree.
var (
	knownParsed   = map[string]int{}
	knownExplicit = map[string]int{}
	knownSlices   = map[string]int{}
)

// TestParsedOnce counts the places that parse kernel expressions.
func TestParsedOnce(t *testing.T) {
	tr := theTree(t)
	found := places{}
	for _, pkg := range tr.packages {
		if standsIn("kernel/...", pkg.dir) {
			continue
		}
		for _, f := range pkg.files {
			ast.Inspect(f.File, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok && written(call.Fun) == "expr.Parse" {
					found.add("expr.Parse", tr.at(n.Pos()))
				}
				return true
			})
		}
	}
	if len(found["expr.Parse"]) <= maxParsed {
		found = nil
	}
	onlyKnownPlaces(t, "an expression is parsed at two doors only and handed on as a node", knownParsed, found)
}

// TestVectorsAreInferred finds calls that name the type []float64 of their points.
func TestVectorsAreInferred(t *testing.T) {
	tr := theTree(t)
	found := places{}
	for _, pkg := range tr.packages {
		for _, f := range append(pkg.files[:len(pkg.files):len(pkg.files)], pkg.tests...) {
			ast.Inspect(f.File, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok && namesVectors(call.Fun) {
					found.add("[[]float64](", tr.at(n.Pos()))
				}
				return true
			})
		}
	}
	onlyKnownPlaces(t, "the type of points is inferred: give data.Vectors and a kernel on []float64", knownExplicit, found)
}

// TestOneWidthIsANumber finds bandwidths that are slices of one element.
func TestOneWidthIsANumber(t *testing.T) {
	tr := theTree(t)
	found := places{}
	for _, pkg := range tr.packages {
		for _, f := range append(pkg.files[:len(pkg.files):len(pkg.files)], pkg.tests...) {
			ast.Inspect(f.File, func(n ast.Node) bool {
				kv, ok := n.(*ast.KeyValueExpr)
				if !ok || typeName(kv.Key) != "Sigma" {
					return true
				}
				if lit, ok := kv.Value.(*ast.CompositeLit); ok && isVector(lit.Type) {
					found.add("Sigma: []float64{", tr.at(n.Pos()))
				}
				return true
			})
		}
	}
	onlyKnownPlaces(t, "one width is a number; several are vec.ARD", knownSlices, found)
}

// namesVectors reports whether a function is called with the type argument []float64.
func namesVectors(fun ast.Expr) bool {
	switch fun := fun.(type) {
	case *ast.IndexExpr:
		return isVector(fun.Index)
	case *ast.IndexListExpr:
		return isVector(fun.Indices[0])
	}
	return false
}

// isVector reports whether a type is []float64.
func isVector(e ast.Expr) bool {
	of, ok := e.(*ast.ArrayType)
	return ok && of.Len == nil && typeName(of.Elt) == "float64"
}
