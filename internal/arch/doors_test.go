package main

import (
	"slices"
	"strings"
	"testing"
)

// commandLine are the packages that make the command line.
const commandLine = "cmd/mercer/internal/cli cmd/mercer/internal/verb cmd/mercer/internal/flags cmd/mercer/internal/predicted " +
	"cmd/mercer/internal/learn cmd/mercer/internal/models cmd/mercer/internal/geometry cmd/mercer/internal/kernels cmd/mercer/internal/machine"

// doors lists the dependencies that have one door each, or a few, and why.
var doors = []struct{ dependency, only, why string }{
	{"github.com/spf13/cobra", commandLine, "the command line has one place"},
	{"golang.org/x/term", "cmd/mercer/internal/verb", "the command talks to a terminal in one place"},
	{"github.com/parquet-go/parquet-go", "data/parquet", "whoever reads no Parquet should not link it"},
	{"github.com/apache/arrow-go/v18", "data/arrow", "whoever reads no Arrow should not link it"},
	{"github.com/google/flatbuffers", "data/arrow", "the metadata of Arrow are checked in one place"},
	{"github.com/xuri/excelize", "data/xlsx", "whoever reads no workbooks should not link it"},
	{"connectrpc.com/connect", "serve", "calls by gRPC are answered in one place"},
	{"github.com/expr-lang/expr", "kernel/formula", "formulas are one kernel"},
	{"gonum.org/v1/plot", "cmd/mercer/internal/figure", "pictures are drawn in one place"},
	{"unsafe", "internal/mapfile internal/pages", "only the memory of files and the allocator of large matrices view bytes as numbers"},
	{"golang.org/x/sys/unix", "internal/mapfile internal/pages", "files are mapped in one place, and only the allocator of large matrices advises on memory"},
	{"golang.org/x/sys/cpu", "internal/simd", "which instructions there are is asked in one place"},
}

func TestDoors(t *testing.T) {
	for _, pkg := range theTree(t).packages {
		for _, imported := range pkg.external {
			for _, door := range doors {
				if (imported == door.dependency || strings.HasPrefix(imported, door.dependency+"/")) && !slices.Contains(strings.Fields(door.only), pkg.dir) {
					t.Errorf("%s imports %s, which may enter by %s only: %s", pkg.dir, imported, door.only, door.why)
				}
			}
		}
	}
}
