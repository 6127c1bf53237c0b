package command_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"example.org/mercer/cmd/mercer/command"
	"example.org/mercer/distributed"
)

// goroutines are an engine on this machine.
type goroutines struct{ folder string }

func (g *goroutines) Program() string { return "mercer-goroutines" }

func (g *goroutines) Flags(set *pflag.FlagSet) {
	set.StringVar(&g.folder, "staging", "", "folder that workers see")
}

func (*goroutines) Check() error { return nil }

func (g *goroutines) Start(context.Context, func(string, ...any)) (distributed.Engine, distributed.Store, error) {
	store := distributed.Folder(g.folder)
	return distributed.Local{Store: store, Workers: 2}, store, nil
}

// A fit whose passes an engine makes.
func ExampleMain() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	table := filepath.Join(folder, "rows.csv")
	if err := os.WriteFile(table, []byte("x,y\n1,2\n2,4\n3,6\n4,8\n"), 0o600); err != nil {
		panic(err)
	}
	code := command.Main(context.Background(), &goroutines{}, []string{"fit", "krr", table, "--target", "y", "--kernel", "linear()", "--lambda", "1e-6",
		"--staging", filepath.Join(folder, "staging"), "-o", filepath.Join(folder, "m.mercer"), "--quiet"}, nil, os.Stdout, os.Stderr)
	fmt.Println(code)
	// Output: 0
}
