package learner

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"time"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/internal/checkpoint"
	"example.org/mercer/model"
	"example.org/mercer/pass"
	"example.org/mercer/space"
	"example.org/mercer/supervised/mkl"
	"example.org/mercer/task"
)

// Checkpoint keeps what takes long in a fit in a file, so that the same fit, started again after
// it was stopped or killed, goes on from there to the same bits.
type Checkpoint struct {
	// FactorBytes is what a factor or a decomposition takes in the file, where that is kept; else
	// 0.
	FactorBytes int64
	// Without says why there is no factor in the file where one would be worth it; "": there is, or
	// is not.
	Without string

	log *checkpoint.Log // nil: the fit has no steps
}

// Keeping says where the checkpoint of a fit is, and what is in it.
type Keeping struct {
	Path string
	// Resume goes on from the file, if there is one: rows, kernel, preparation and options must be
	// those of the fit that wrote it.
	Resume bool
	// Every is how long ago the last save is when the next is due.
	Every time.Duration
	// Factors asks for the factor or the decomposition that a fit is made of, n²/2 numbers or 2n².
	// Without it they are kept where Plan predicts more than three minutes, and takes no more than
	// a quarter of the free disk.
	Factors bool
	Plan    compute.Plan
}

// OpenCheckpoint returns a method that keeps its steps in a file, and the checkpoint to close
// when it is done; for methods that take none it keeps nothing, see docs/guide/checkpoints.md.
func OpenCheckpoint(p *task.Task, m Learner, k Keeping) (Learner, *Checkpoint, error) {
	c := &Checkpoint{}
	c.FactorBytes, c.Without = keepFactors(p, m, k.Plan, k.Path, k.Factors)
	if !takesSteps(p, m) && c.FactorBytes == 0 {
		return m, c, nil
	}
	var err error
	if c.log, err = checkpoint.Open(k.Path, func() map[string]string { return fitFingerprint(p, m) }, k.Resume, k.Every); err != nil {
		return nil, nil, err
	}
	how := m.ComputeOptions()
	how.Checkpoint, how.KeepFactors = c.log, c.FactorBytes > 0
	return m.WithCompute(how), c, nil
}

// OpenChoice returns the computing options of [task.Task.Reduced] with a checkpoint of the choice
// of landmarks in a file of its own: what a fit on them depends on is known only when they are
// chosen.
func OpenChoice(ctx context.Context, p *task.Task, r task.Approximation, how compute.Options, k Keeping) (compute.Options, *Checkpoint, error) {
	bytes, why, err := keepColumns(ctx, p, *r.Landmarks, k.Path, k.Factors)
	if err != nil {
		return how, nil, err
	}
	log, err := checkpoint.Open(k.Path, func() map[string]string { return dependsOn(p, r.String(), how) }, k.Resume, k.Every)
	if err != nil {
		return how, nil, err
	}
	how.Checkpoint, how.KeepFactors = log, bytes > 0
	return how, &Checkpoint{log: log, FactorBytes: bytes, Without: why}, nil
}

// OpenWeighing returns the options of [search.Weigh] with a checkpoint in a file, to close when it
// is done. It goes on from the file if there is one; rows, kernel and options must be those that it
// was written with.
func OpenWeighing(p *task.Task, o mkl.Options, path string, every time.Duration) (mkl.Options, *Checkpoint, error) {
	c, err := OpenSteps(p, fmt.Sprintf("mkl %q %g", o.Method, o.Balance), &o.Compute, path, every)
	return o, c, err
}

// OpenSteps opens the checkpoint of work on a task that is no fit, and puts it in its computing
// options; the options of the work are told in words.
func OpenSteps(p *task.Task, options string, how *compute.Options, path string, every time.Duration) (*Checkpoint, error) {
	log, err := checkpoint.Open(path, func() map[string]string { return dependsOn(p, options, *how) }, true, every)
	if err != nil {
		return nil, err
	}
	how.Checkpoint = log
	return &Checkpoint{log: log}, nil
}

// Keeps reports whether the fit has steps to keep; a nil checkpoint has none.
func (c *Checkpoint) Keeps() bool { return c != nil && c.log != nil }

// takesSteps reports whether there are steps in a fit beside those of a single factorization or
// decomposition: in features they are the passes over the rows, and a kernel that is learned before
// has its own.
func takesSteps(p *task.Task, m Learner) bool {
	if p.LearnsKernel() {
		return true
	}
	if o, asked := m.(interface{ TakesSteps(p *task.Task) bool }); asked {
		return o.TakesSteps(p)
	}
	if o, spanned := m.(spaceSolver); spanned {
		_, explicit := p.Points.ChoosePrimal(o.Space().Solver)
		return explicit || o.Space().Solver == space.CG
	}
	return true
}

// fitFingerprint says what a fit depends on, each thing by a name.
func fitFingerprint(p *task.Task, m Learner) map[string]string {
	return dependsOn(p, Describe(m), m.ComputeOptions())
}

// dependsOn says what work on a problem depends on.
func dependsOn(p *task.Task, options string, how compute.Options) map[string]string {
	approximation, _ := json.Marshal(p.LandmarkMap)
	all := DependsOnRows(p.Rows, how)
	all["the kernel"], all["the options"], all["the precision"] = p.Kernel(), options, how.Precision.String()
	all["the landmarks"], all["the treatment of the matrix"] = string(approximation), string(p.Indefinite)
	all["the features"], all["how the network is learned"] = p.FeatureMap.Options(), ""
	if p.LacksNetwork() {
		all["how the network is learned"] = fmt.Sprintf("%q in %d steps from %q", p.Network.By, p.Network.Steps, p.Network.Start)
	}
	return all
}

// DependsOnRows names what all work depends on.
func DependsOnRows(rows *prep.Prepared, how compute.Options) map[string]string {
	h := sha256.New()
	DigestRows(h, rows)
	_ = json.NewEncoder(h).Encode(rows.IDs)
	return map[string]string{"the rows": hex.EncodeToString(h.Sum(nil))[:32], "the memory allowed": compute.FormatBytes(how.MaxMemory), "the version of mercer": model.Version}
}

// Known is the number of passes that were read from the file; a nil checkpoint has none.
func (c *Checkpoint) Known() int {
	if !c.Keeps() {
		return 0
	}
	return c.log.Known
}

// Close removes the file of a fit that is finished, and saves all passes of one that is not; it
// says whether there is a file to go on from.
func (c *Checkpoint) Close(finished bool) (saved bool, err error) {
	if !c.Keeps() {
		return false, nil
	}
	err = c.log.Close(finished)
	return !finished && c.log.Saved(), err
}

// DigestRows hashes task.PreparedTable rows.
func DigestRows(h hash.Hash, rows *prep.Prepared) {
	numbers := func(xs []float64) {
		_ = binary.Write(h, binary.LittleEndian, xs) // a hash does not fail
	}
	// Rows that cannot be read end the fit that follows.
	_ = pass.Each(context.Background(), rows.Vectors(), 1, 1, func(_, _, _ int, rows data.Vectors) { numbers(rows.Raw()) })
	if rows.Y != nil {
		numbers(rows.Y.RawMatrix().Data)
	}
	numbers(rows.W)
	_ = json.NewEncoder(h).Encode(rows.Cells)
}

// Describe returns the options of a method without how they are computed.
func Describe(m Learner) string {
	if o, own := m.(interface{ Describe() string }); own {
		return o.Describe()
	}
	return fmt.Sprintf("%s %+v", m.Name(), m.WithCompute(compute.Options{}))
}
