package serve

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data/prep"
	"example.org/mercer/outcome"
	"example.org/mercer/serve/oip"
	"example.org/mercer/serve/records"
	"example.org/mercer/task"
)

// version is a model as it was read from a file.
type version struct {
	*mercer.Model
	name    string
	number  int // counts the files that have answered by the name, from 1
	digest  string
	loaded  time.Time
	columns records.Columns
	outputs []oip.Described
	drift   *drift
}

// id is how the version is called in requests.
func (v *version) id() string { return strconv.Itoa(v.number) }

// readVersion reads a model file whole, decodes it, and lets it predict the rows that it tests
// itself by. The file may be replaced or cut at any time afterwards. A kernel that reads another
// file is refused: what it names would be read, and quoted in errors.
func readVersion(ctx context.Context, name, path string, maxRows int, o compute.Options) (*version, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m, err := mercer.Decode(path, raw, task.Files{None: true})
	if err != nil {
		return nil, err
	}
	if m.Function.Kind() == task.OnRowIDs {
		return nil, errors.New(path + ": the points of the model are names of rows, which no request can describe")
	}
	if _, err := m.Verify(ctx, o); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	sum := sha256.Sum256(raw)
	v := &version{Model: m, name: name, digest: hex.EncodeToString(sum[:]), loaded: time.Now(),
		columns: records.Columns{Inputs: m.Prep.InputColumns(), ID: m.Prep.ID(), MaxRows: maxRows}}
	v.drift = newDrift(v)
	v.outputs = oip.DescribedOutputs(oip.OutputsOf(blank(m)))
	return v, nil
}

// sameColumns reports whether a version takes the requests of another.
func (v *version) sameColumns(old *version) bool {
	if len(v.columns.Inputs) != len(old.columns.Inputs) {
		return false
	}
	for i, c := range v.columns.Inputs {
		if was := old.columns.Inputs[i]; c.Name != was.Name || c.Kind != was.Kind || c.Unit != was.Unit {
			return false
		}
	}
	return slices.Equal(v.Decision.Outputs, old.Decision.Outputs)
}

// metadata describes the version in the words of the protocol.
func (v *version) metadata() oip.Metadata {
	form, size := v.Form()
	return oip.Metadata{
		Name: v.name, Versions: []string{v.id()}, Platform: "mercer_safetensors", Inputs: oip.InputsOf(v.columns.Inputs), Outputs: v.outputs,
		Parameters: map[string]string{"kernel": v.Kernel(), "method": v.Method, "form": form, "coefficients": strconv.Itoa(size), "sha256": v.digest},
	}
}

// blank is a prediction of one row whose outputs are all 0: what a prediction consists of.
func blank(m *mercer.Model) *outcome.Prediction {
	p := &outcome.Prediction{Rows: &prep.Prepared{Rows: []int{0}}, Values: mat.NewDense(1, len(m.Decision.Outputs), nil),
		Outputs: m.Decision.Outputs, Targets: m.Prep.Targets(), Decision: m.Decision}
	if m.Decision.Link == outcome.Averaged {
		p.Averages = mat.NewDense(1, len(p.Names()), nil)
	}
	return p
}
