package kernels

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/compute"
	"example.org/mercer/lab/page"
)

// opened is what `mercer lab --json` prints when it listens.
type opened struct {
	Address string `json:"address"`
}

func (o opened) Text(w io.Writer) { fmt.Fprintf(w, "open %s\n", o.Address) }

// exported is what `mercer lab --export` prints.
type exported struct{ *page.Site }

func (e exported) Text(w io.Writer) {
	fmt.Fprintf(w, "%s: %d files, %s, the engine %s of these\n", e.Dir, e.Files, compute.FormatBytes(e.Bytes), compute.FormatBytes(e.Engine))
}

// NewLab makes the verb lab.
func NewLab(inv *verb.Invocation) *cobra.Command {
	address, export, source := "", "", ""
	cmd := &cobra.Command{
		Use:   "lab",
		Short: "Open a page on this machine where kernels are seen at work",
		Long: `lab serves a page to the browser of this machine: regression with the path of λ, Gaussian processes, classification by one kernel or
two beside each other, Gram matrices, kernels with the reason why they are some, the search for counter-examples, principal
components, clusters, noise taken from digits, strings, graphs, deep kernels, and a table of your own with its plan before the
fit. Points are moved by mouse, finger or keyboard; every picture says the command and the Go program that do the same.
Nothing is fetched from elsewhere, and nothing leaves the machine.

--export writes the page with the library compiled to WebAssembly, for any server of files. That takes the Go toolchain and the
source tree of mercer.`,
		Example: `  mercer lab
  mercer lab --listen 127.0.0.1:9000
  mercer lab --export site/`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if export != "" {
				site, err := page.Export(cmd.Context(), export, source)
				if err != nil {
					return err
				}
				return inv.Emit(exported{site})
			}
			how, stop := inv.Compute()
			defer stop()
			how.Progress = nil // a page shows its own
			err := page.Run(cmd.Context(), address, how, func(url string) error { return inv.Emit(opened{url}) })
			if errors.Is(err, context.Canceled) {
				return nil
			}
			return err
		},
	}
	set := cmd.Flags()
	set.StringVar(&address, "listen", "127.0.0.1:8090", "host and port of this machine; port 0 takes a free one")
	set.StringVar(&export, "export", "", "folder to write the page to, with its engine, instead of serving it")
	set.StringVar(&source, "source", ".", "source tree of mercer, for --export")
	return inv.Prints(cmd, opened{}, exported{})
}
