package cli

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"mercer/internal/testkit"
)

func TestMain(m *testing.M) {
	if os.Getenv(runAsMercer) != "" {
		mercerMain()
	}
	testscript.Main(m, map[string]func(){"mercer": mercerMain})
}

// TestScripts runs the documents in testdata: each is a tutorial of one verb.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		UpdateScripts:       *update,
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
	})
}

// TestSharedScripts runs the documents that use the public data sets.
func TestSharedScripts(t *testing.T) {
	root := testkit.Shared(t, ".")
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/shared",
		UpdateScripts:       *update,
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("DATA", root)
			return nil
		},
	})
}
