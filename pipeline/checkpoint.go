package pipeline

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"mercer/gram"
	"mercer/internal/checkpoint"
	"mercer/krr"
	"mercer/mkl"
	"mercer/model"
	"mercer/prep"
)

// Checkpoint keeps what takes long in a fit in a file, so that the same fit, started again after
// it was stopped or killed, goes on from there to the same bits.
type Checkpoint struct {
	// FactorBytes is what a factor takes in the file, where that is kept; else 0.
	FactorBytes int64

	log *checkpoint.Log
}

// OpenCheckpoint returns a method that keeps its steps in a file, and the checkpoint to close
// when it is done; nil for methods that take none, see docs/checkpoints.md.
// With resume it goes on from the file if there is one; rows, kernel, preparation and options must be those of the
// fit that wrote it. The file is written when the last time is as long ago as every says.
// With factors it also has the packed Cholesky factor of [KRR], block column by block column.
func (p *Problem) OpenCheckpoint(m Method, path string, resume bool, every time.Duration, factors bool) (Method, *Checkpoint, error) {
	packed := factors && isPacked(m)
	if !p.takesSteps(m) && !packed {
		return m, nil, nil
	}
	log, err := checkpoint.Open(path, func() map[string]string { return p.fingerprint(m) }, resume, every)
	if err != nil {
		return nil, nil, err
	}
	compute := m.compute()
	compute.Checkpoint, compute.KeepFactors = log, packed
	c := &Checkpoint{log: log}
	if n, _, _ := p.Dims(); packed {
		c.FactorBytes = 4 * int64(n) * int64(n+1)
	}
	return computing(m, compute), c, nil
}

// OpenWeighing returns the options of [Problem.Weigh] with a checkpoint in a file, to close when it is done. It goes
// on from the file if there is one; rows, kernel and options must be those that it was written with.
func (p *Problem) OpenWeighing(o mkl.Options, path string, every time.Duration) (mkl.Options, *Checkpoint, error) {
	c, err := p.openSteps(fmt.Sprintf("mkl %q %g", o.Method, o.Balance), &o.Compute, path, every)
	return o, c, err
}

// OpenPath returns the method of [Problem.LandmarkPath] with a checkpoint in a file, as [Problem.OpenWeighing].
func (p *Problem) OpenPath(m Falkon, lambdas []float64, holdout float64, path string, every time.Duration) (Falkon, *Checkpoint, error) {
	c, err := p.openSteps(fmt.Sprintf("λ %v, held out %g, %s", lambdas, holdout, describeMethod(m)), &m.Compute, path, every)
	return m, c, err
}

// openSteps opens the checkpoint of work that is no fit.
func (p *Problem) openSteps(options string, compute *gram.Options, path string, every time.Duration) (*Checkpoint, error) {
	log, err := checkpoint.Open(path, func() map[string]string { return p.dependsOn(options, *compute) }, true, every)
	if err != nil {
		return nil, err
	}
	compute.Checkpoint = log
	return &Checkpoint{log: log}, nil
}

// isPacked reports whether a fit may be by a packed factor in double precision.
func isPacked(m Method) bool {
	o, ok := m.(KRR)
	return ok && (o.Solver == "" || o.Solver == krr.Auto || o.Solver == krr.Packed) && o.Compute.Precision == gram.Double
}

// takesSteps reports whether there is something in a fit to go on from: one by a single
// factorization or decomposition has nothing, one in features the passes over the rows.
func (p *Problem) takesSteps(m Method) bool {
	switch o := m.(type) {
	case KRR:
		return o.Solver == krr.CG
	case KFDA, Barycentre:
		_, explicit, _ := p.design()
		return explicit
	case Structured:
		return false
	}
	return true
}

// computing returns a method with other computing options, which every method holds in a field
// Compute.
func computing(m Method, o gram.Options) Method {
	if c, ok := m.(Calibrated); ok {
		c.Method = computing(c.Method, o)
		return c
	}
	other := reflect.New(reflect.TypeOf(m)).Elem()
	other.Set(reflect.ValueOf(m))
	other.FieldByName("Compute").Set(reflect.ValueOf(o))
	return other.Interface().(Method)
}

// fingerprint says what a fit depends on, each thing by a name.
func (p *Problem) fingerprint(m Method) map[string]string {
	return p.dependsOn(describeMethod(m), m.compute())
}

// dependsOn says what work on a problem depends on.
func (p *Problem) dependsOn(options string, compute gram.Options) map[string]string {
	approximation, _ := json.Marshal(p.Approximation)
	all := rowsAndMachine(p.Rows, compute)
	all["the kernel"], all["the options"], all["the precision"] = p.Kernel(), options, compute.Precision.String()
	all["the landmarks"], all["the treatment of the matrix"] = string(approximation), string(p.Indefinite)
	return all
}

// rowsAndMachine names what all work depends on.
func rowsAndMachine(rows *prep.Prepared, compute gram.Options) map[string]string {
	h := sha256.New()
	digest(h, rows)
	_ = json.NewEncoder(h).Encode(rows.IDs)
	return map[string]string{"the rows": hex.EncodeToString(h.Sum(nil))[:32], "the memory allowed": gram.FormatBytes(compute.MaxMemory), "the version of mercer": model.Version}
}

// Known is the number of passes that were read from the file; a nil checkpoint has none.
func (c *Checkpoint) Known() int {
	if c == nil {
		return 0
	}
	return c.log.Known
}

// Close removes the file of a fit that is finished, and saves all passes of one that is not; it
// says whether there is a file to go on from.
func (c *Checkpoint) Close(finished bool) (saved bool, err error) {
	if c == nil {
		return false, nil
	}
	err = c.log.Close(finished)
	return !finished && c.log.Saved(), err
}
