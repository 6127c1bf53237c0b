package models

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"example.org/mercer"
	"example.org/mercer/cmd/mercer/internal/flags"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/compute"
	"example.org/mercer/learner"
	"example.org/mercer/outcome/calibrate"
	"example.org/mercer/task"
)

// info is what `mercer info` prints.
type info struct {
	File     string               `json:"file"`
	Method   string               `json:"method"`
	Kernel   string               `json:"kernel"`
	Proof    string               `json:"definiteness"`
	Form     string               `json:"form"`
	Size     int                  `json:"size"`
	Prep     string               `json:"preparation"`
	Features []string             `json:"features"`
	Outputs  []string             `json:"outputs"`
	Bias     []float64            `json:"bias"`
	Source   string               `json:"trained_on"`
	Seed     uint64               `json:"seed"`
	Version  string               `json:"made_by"`
	Report   learner.Report       `json:"report"`
	Verified *mercer.Verification `json:"verified,omitempty"`

	Calibration *calibrate.Map `json:"calibration,omitempty"`
	Conformal   int            `json:"conformal_scores,omitempty"`

	Approximation *task.LandmarkMap `json:"approximation,omitempty"`
	FeatureMap    *task.FeatureMap  `json:"feature_map,omitempty"`
	Exact         string            `json:"exact,omitempty"` // the command that would not approximate

	History   *mercer.History    `json:"history,omitempty"`
	Updatable *learner.Updatable `json:"updatable,omitempty"`

	// Contents says what is there of the training rows.
	Contents mercer.Contents `json:"contents"`

	held    [][]string
	learned []string // names of the outputs, with functions of the targets around them
}

func (i info) Text(w io.Writer) {
	fmt.Fprintf(w, "%s: %s, made by mercer %s from %s (seed %d)\n", i.File, i.Method, i.Version, i.Source, i.Seed)
	var lines [][]string
	if i.Kernel != "" {
		lines = append(lines, []string{"kernel", verb.Brief(i.Kernel) + " (" + i.Proof + ")"})
	}
	lines = append(lines, [][]string{
		{"preparation", i.Prep},
		{"features", verb.ListShort(i.Features)},
		{"outputs", verb.ListShort(i.Outputs)},
	}...)
	lines = append(lines, verb.ReportLines(i.Report, i.learned, []string{"form", fmt.Sprintf("%s, %d coefficients per output", i.Form, i.Size)}, false)...)
	lines = append(lines, verb.ApproximationLines(i.Approximation, i.FeatureMap, i.Exact)...)
	lines = append(lines, i.held...)
	if h := i.History; h != nil {
		lines = append(lines, []string{"changed", fmt.Sprintf("%d rows at first, %d added, %d forgotten since; prepared as at first", h.First, h.Added, h.Forgotten)})
	}
	if u := i.Updatable; u != nil {
		what := "the Cholesky factor"
		if u.By == "sums" {
			what = "sums and fingerprints"
		}
		lines = append(lines, []string{"updatable", fmt.Sprintf("by %s of %d rows, %s", what, u.Rows, compute.FormatBytes(u.Bytes))})
	}
	lines = append(lines, i.Contents.Lines()...)
	if v := i.Verified; v != nil {
		lines = append(lines, []string{"verified", fmt.Sprintf("%d self-test rows agree to %.2g (allowed %.0e)", v.Rows, v.Worst, v.Bound)})
	}
	verb.Columns(w, lines)
}

func NewInfo(inv *verb.Invocation) *cobra.Command {
	var verify, command bool
	var files flags.ModelFiles
	cmd := &cobra.Command{
		Use:   "info MODEL",
		Short: "Show what a model file holds; --verify predicts its self-test rows again",
		Example: `  mercer info house.mercer
  mercer info house.mercer --verify --json
  mercer info house.mercer --command`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			m, err := mercer.LoadWith(args[0], files.Files)
			if err != nil {
				return err
			}
			if command {
				return printCommand(inv, args[0], m)
			}
			result := info{File: args[0], Method: m.Method, Kernel: m.Kernel(), Proof: m.Derivation().Verdict.String(),
				Prep: m.Prep.String(), Outputs: m.Decision.Outputs, learned: m.Decision.LearnedNames(m.Prep.Targets()), Bias: m.Bias(), Source: m.Source, Seed: m.Seed,
				Version: m.Version, Report: m.Report, Calibration: m.Decision.Calibration, held: verb.HeldLines(m), Approximation: m.Approximation, FeatureMap: m.FeatureMap, Exact: m.Exact, History: m.History, Updatable: m.Updatable(), Contents: m.Contents()}
			if m.Conformal() != nil {
				result.Conformal, _ = m.Conformal().Dims()
			}
			result.Form, result.Size = m.Form()
			result.Features, _ = m.Prep.Features()
			if verify {
				how, stop := inv.Compute()
				defer stop()
				if result.Verified, err = m.Verify(cmd.Context(), how); err != nil {
					return fmt.Errorf("%s: %w", args[0], err)
				}
			}
			return inv.Emit(result)
		},
	}
	cmd.Flags().BoolVar(&verify, "verify", false, "predict the self-test rows again and compare")
	cmd.Flags().BoolVar(&command, "command", false, "print the command that made the model")
	files.Register(cmd)
	return inv.Prints(cmd, info{}, made{})
}

// made is what `mercer info --command` prints.
type made struct {
	Command string `json:"command"`
}

func (m made) Text(w io.Writer) { fmt.Fprintln(w, m.Command) }

// printCommand prints the command that made a model.
func printCommand(inv *verb.Invocation, path string, m *mercer.Model) error {
	if m.Command == "" {
		return fmt.Errorf("%s: does not say by which command it was made: by a program, or by an older version; see mercer info %[1]s", path)
	}
	return inv.Emit(made{m.Command})
}
