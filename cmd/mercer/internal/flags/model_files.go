package flags

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/outcome"
	"example.org/mercer/task"
)

// Apply say which model to apply to which table.
type Apply struct {
	table  Table
	Files  ModelFiles
	Passes Passes // registered by the verbs that can
	Verify bool
	bagged string // the --bag that the model was learned with; "": none
}

func (f *Apply) Register(cmd *cobra.Command) {
	f.table.Register(cmd)
	f.Files.Register(cmd)
	defer verb.ModelGroup.Claim(cmd.Flags())()
	cmd.Flags().BoolVar(&f.Verify, "verify", false, "let the model predict its self-test rows first, and stop if they differ")
}

// ModelFiles say where the files are that a model on row ids names.
type ModelFiles struct{ task.Files }

func (f *ModelFiles) Register(cmd *cobra.Command) {
	defer verb.ModelGroup.Claim(cmd.Flags())()
	cmd.Flags().StringVar(&f.Gram, "gram", "", "Gram matrix in place of the one that the kernel of a model on row ids names, such as new rows against training rows")
	cmd.Flags().StringVar(&f.Graph, "graph", "", "graph in place of the one that the kernel names, where the file has moved")
}

// Load opens the model, reads the table of a verb "VERB MODEL TABLE" and predicts its
// rows; test says that its targets are wanted too.
func (f *Apply) Load(cmd *cobra.Command, inv *verb.Invocation, args []string, test bool) (*mercer.Model, *outcome.Prediction, error) {
	m, blocks, err := f.Open(cmd, inv, args)
	if err != nil {
		return nil, nil, err
	}
	how, stop := inv.Compute()
	defer stop()
	p, err := f.Predict(cmd, inv, m, blocks, args[1], test, how)
	if err != nil {
		return nil, nil, err
	}
	inv.Notes(p.Rows.Notes)
	return m, p, nil
}

// Open opens the model, and the table where it is to be read in passes.
func (f *Apply) Open(cmd *cobra.Command, inv *verb.Invocation, args []string) (*mercer.Model, data.Blocks, error) {
	m, err := mercer.LoadWith(args[0], f.Files.Files)
	if err != nil {
		return nil, nil, err
	}
	f.bagged = bagOf(m.Command)
	f.table.Outcomes, f.table.Unused = m.Prep.Columns, m.Prep.Dropped
	if f.Verify {
		how, stop := inv.Compute()
		defer stop()
		v, err := m.Verify(cmd.Context(), how)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", args[0], err)
		}
		inv.Detail("%s: %d self-test rows agree to %.2g", args[0], v.Rows, v.Worst)
	}
	blocks, err := f.Passes.Open(cmd.Context(), inv, args[1], &f.table, m.Prep.ID())
	if m.Prep.ID() != "" && errors.Is(err, data.ErrNoColumn) {
		blocks, err = f.Passes.Open(cmd.Context(), inv, args[1], &f.table)
	}
	return m, blocks, err
}

// Predict predicts a table, in passes or at once.
func (f *Apply) Predict(cmd *cobra.Command, inv *verb.Invocation, m *mercer.Model, blocks data.Blocks, path string, test bool, how compute.Options) (*outcome.Prediction, error) {
	if blocks != nil {
		return m.TestBlocks(cmd.Context(), blocks, how)
	}
	t, err := f.Read(cmd, inv, path, m.Prep.ID())
	if err != nil {
		return nil, err
	}
	if test {
		return m.Test(cmd.Context(), t, how)
	}
	return m.Predict(cmd.Context(), t, how)
}

// bagOf returns what the flag --bag is in the command of a model.
func bagOf(command string) string {
	before, value, found := strings.Cut(command, "--bag=")
	end := " "
	if strings.HasSuffix(before, "'") {
		end = "'"
	}
	value, _, _ = strings.Cut(value, end)
	if !found {
		return ""
	}
	return value
}

// Read reads a table to predict on, and says where its rows seem to be the points of bags.
func (f *Apply) Read(cmd *cobra.Command, inv *verb.Invocation, path, id string) (*data.Table, error) {
	t, err := f.read(cmd, inv, path, id)
	if err != nil || f.bagged == "" || f.table.bag != "" {
		return t, err
	}
	if _, err := t.Find(f.bagged); err == nil {
		inv.Note("note: the model was learned with --bag %s, and %s has that column: without --bag each row is a bag by itself", f.bagged, path)
	}
	return t, nil
}

// read reads a table. The column of ids is read as text, so that 007 stays 007, but it may be
// missing there: then the table is read again without it.
func (f *Apply) read(cmd *cobra.Command, inv *verb.Invocation, path, id string) (*data.Table, error) {
	if path == "-" && id != "" {
		all, err := io.ReadAll(inv.Stdin)
		if err != nil {
			return nil, fmt.Errorf("standard input: %w", err)
		}
		defer func(stdin io.Reader) { inv.Stdin = stdin }(inv.Stdin)
		inv.Stdin = bytes.NewReader(all)
		t, err := f.table.Read(cmd.Context(), inv, path, id)
		if !errors.Is(err, data.ErrNoColumn) {
			return t, err
		}
		inv.Stdin = bytes.NewReader(all)
		return f.table.Read(cmd.Context(), inv, path)
	}
	t, err := f.table.Read(cmd.Context(), inv, path, id)
	if id != "" && errors.Is(err, data.ErrNoColumn) {
		return f.table.Read(cmd.Context(), inv, path)
	}
	return t, err
}

// ModelAndTable is the argument rule "MODEL TABLE".
func ModelAndTable(_ *cobra.Command, args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("expected a model file and a table, such as: house.mercer new.csv (got %d arguments)%s", len(args), Expanded(args))
	}
	return nil
}
