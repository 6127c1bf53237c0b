package cli

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"example.org/mercer/internal/testkit"
)

func TestMain(m *testing.M) {
	if os.Getenv(runAsMercer) != "" {
		mercerMain()
	}
	testscript.Main(measuredOnce{m}, map[string]func(){"mercer": mercerMain})
}

// measuredOnce runs tests with a folder for the rates of the machine.
type measuredOnce struct{ *testing.M }

func (m measuredOnce) Run() int {
	folder, err := os.MkdirTemp("", "mercer-rates-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	os.Setenv(ratesOfTests, folder)
	return m.M.Run()
}

// shortScripts are the documents that -short leaves: every process measures the machine for its
// plan, which takes long where arithmetic is slow.
var shortScripts = []string{"testdata/usage.txtar", "testdata/kernel.txtar", "testdata/records.txtar"}

// TestScripts runs the documents in testdata: each is a tutorial of one verb.
func TestScripts(t *testing.T) {
	dir, files := "testdata", []string(nil)
	if testing.Short() {
		dir, files = "", shortScripts
	}
	documents := t.TempDir()
	t.Cleanup(func() { checkDocuments(t, documents, !testing.Short() && !strings.Contains(testRuns(), "/")) })
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		Files:               files,
		UpdateScripts:       *update,
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv(ratesOfTests, os.Getenv(ratesOfTests))
			env.Setenv(documentsOfTests, documents)
			return nil
		},
	})
}

// TestSharedScripts runs the documents that use the public data sets.
func TestSharedScripts(t *testing.T) {
	if testing.Short() {
		t.Skip("documents on the public data sets take minutes where arithmetic is slow: they run without -short")
	}
	root, documents := testkit.Shared(t, "."), t.TempDir()
	t.Cleanup(func() { checkDocuments(t, documents, false) })
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/shared",
		UpdateScripts:       *update,
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("DATA", root)
			env.Setenv(documentsOfTests, documents)
			env.Setenv(ratesOfTests, os.Getenv(ratesOfTests))
			return nil
		},
	})
}

// testRuns returns the value of -run.
func testRuns() string { return flag.Lookup("test.run").Value.String() }
