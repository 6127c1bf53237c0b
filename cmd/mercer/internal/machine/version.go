package machine

import (
	_ "embed"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/model"
)

// version is what `mercer version` prints.
type version struct {
	Version     string `json:"version"`
	Revision    string `json:"revision,omitempty"`
	Go          string `json:"go"`
	Platform    string `json:"platform"`
	ModelFormat string `json:"model_format"`
}

func (v version) Text(w io.Writer) {
	fmt.Fprintf(w, "mercer %s\n", v.Version)
	lines := [][]string{{"go", v.Go}, {"platform", v.Platform}, {"model format", v.ModelFormat}}
	if v.Revision != "" {
		lines = append(lines, []string{"revision", v.Revision})
	}
	verb.Columns(w, lines)
}

// notices are the licences of what the command is linked with, see internal/notices.
//
//go:embed notices.txt
var notices string

func NewVersion(inv *verb.Invocation) *cobra.Command {
	licences := false
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version of the command and of the model format; --notices prints the licences of what it is linked with",
		Example: `  mercer version --json
  mercer version --notices`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if licences {
				return inv.Emit(noticed{Notices: notices})
			}
			v := version{Version: model.Version, Go: runtime.Version(),
				Platform: runtime.GOOS + "/" + runtime.GOARCH, ModelFormat: model.FormatVersion()}
			if info, ok := debug.ReadBuildInfo(); ok {
				for _, s := range info.Settings {
					if s.Key == "vcs.revision" {
						v.Revision = s.Value
					}
				}
			}
			return inv.Emit(v)
		},
	}
	cmd.Flags().BoolVar(&licences, "notices", false, "print the licences of the modules that are linked")
	return inv.Prints(cmd, version{}, noticed{})
}

// noticed is what `mercer version --notices` prints.
type noticed struct {
	Notices string `json:"notices"`
}

func (n noticed) Text(w io.Writer) { fmt.Fprint(w, n.Notices) }
