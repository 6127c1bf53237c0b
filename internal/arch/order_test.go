package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOneOrder compares every import of the project with the order.
func TestOneOrder(t *testing.T) {
	for _, pkg := range theTree(t).packages {
		if len(pkg.files) == 0 || pkg.dir == "." && len(pkg.internal) == 0 {
			continue // tests only, or the module root while it holds nothing
		}
		if levelOf(pkg.dir) < 0 {
			t.Errorf("package %s is in no level: add it to order", pkg.dir)
			continue
		}
		for _, to := range pkg.internal {
			if why := refusal(pkg.dir, to); why != "" {
				t.Errorf("%s may not import %s: %s", pkg.dir, to, why)
			}
		}
	}
}

// TestOrderNamesPackagesThatExist finds what has moved away.
func TestOrderNamesPackagesThatExist(t *testing.T) {
	exists := map[string]bool{}
	for _, pkg := range theTree(t).packages {
		exists[pkg.dir] = len(pkg.files) > 0
	}
	seen := map[string]bool{}
	for _, l := range order {
		for _, name := range strings.Fields(l.packages) {
			if !exists[name] {
				t.Errorf("%s: there is no package %s", l.title, name)
			}
			if seen[name] {
				t.Errorf("%s stands in two levels", name)
			}
			seen[name] = true
		}
	}
}

// TestDesignHasTheOrder compares the table of DESIGN.md with the order and the packages' own
// first sentences.
func TestDesignHasTheOrder(t *testing.T) {
	tr := theTree(t)
	text, err := os.ReadFile(filepath.Join(tr.root, "DESIGN.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, has, _, err := cutTable(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if want := table(tr); has != want {
		is, due := strings.Split(has, "\n"), strings.Split(want, "\n")
		at := 0
		for at < min(len(is), len(due))-1 && is[at] == due[at] {
			at++
		}
		t.Errorf("the table of DESIGN.md is not that of the packages: it has\n\t%s\nfor\n\t%s\nto mend it: go run ./internal/arch -w", is[at], due[at])
	}
}

// TestOrderBites makes sure that the order can refuse.
func TestOrderBites(t *testing.T) {
	for _, edge := range [][2]string{
		{"data", "kernel"}, {"kernel", "kernel/vec"}, {"supervised/krr", "kernel/vec"}, {"gram", "supervised/krr"},
		{"model", "supervised/krr"}, {"linalg", "data"}, {"kernel/vec", "gram"}, {"data/csv", "data/prep/none"},
		{"supervised/krr", "supervised/svm"}, {"supervised/krr", "internal/testkit"}, {"supervised/krr", "data/open"},
	} {
		if refusal(edge[0], edge[1]) == "" {
			t.Errorf("the edge %s → %s is not refused", edge[0], edge[1])
		}
	}
	for _, edge := range [][2]string{
		{"kernel", "data"}, {"supervised/krr", "gram"}, {"learner", "kernel/vec"}, {"data/open", "data/csv"},
	} {
		if why := refusal(edge[0], edge[1]); why != "" {
			t.Errorf("the edge %s → %s is refused: %s", edge[0], edge[1], why)
		}
	}
}
