package machine

import (
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

func NewVersion(inv *verb.Invocation) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version of the command and of the model format",
		Example: "  mercer version --json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
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
}
