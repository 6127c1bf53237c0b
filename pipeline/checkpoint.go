package pipeline

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"mercer/gram"
	"mercer/internal/checkpoint"
	"mercer/krr"
	"mercer/model"
)

// Checkpoint keeps the passes of a fit that iterates in a file, so that the same fit, started
// again after it was stopped or killed, goes on from there to the same bits.
type Checkpoint struct{ log *checkpoint.Log }

// OpenCheckpoint returns a method that keeps its passes in a file, and the checkpoint to close
// when it is done; nil for methods that do not iterate, which take the time of a factorization.
// With resume it goes on from the file if there is one; rows, kernel, preparation and options must be those of the
// fit that wrote it. The file is written when the last time is as long ago as every says.
func (p *Problem) OpenCheckpoint(m Method, path string, resume bool, every time.Duration) (Method, *Checkpoint, error) {
	var attach func(gram.Checkpoint) Method
	var compute gram.Options
	switch o := m.(type) {
	case Falkon:
		compute, attach = o.Compute, func(c gram.Checkpoint) Method { o.Compute.Checkpoint = c; return o }
	case KRR:
		if o.Solver != krr.CG {
			return m, nil, nil
		}
		compute, attach = o.Compute, func(c gram.Checkpoint) Method { o.Compute.Checkpoint = c; return o }
	default:
		return m, nil, nil
	}
	log, err := checkpoint.Open(path, p.fingerprint(m, compute), resume, every)
	if err != nil {
		return nil, nil, err
	}
	return attach(log), &Checkpoint{log}, nil
}

// fingerprint says what a fit depends on, each thing by a name.
func (p *Problem) fingerprint(m Method, compute gram.Options) map[string]string {
	h := sha256.New()
	p.digest(h)
	_ = json.NewEncoder(h).Encode(p.Rows.IDs)
	options := describeMethod(m)
	if o, ok := m.(Falkon); ok {
		o.Landmarks.Compute = gram.Options{} // is made that of the method
		options = describeMethod(o)
	}
	approximation, _ := json.Marshal(p.Approximation)
	return map[string]string{"the rows": hex.EncodeToString(h.Sum(nil))[:32], "the kernel": p.Kernel(), "the options": options,
		"the precision": compute.Precision.String(), "the memory allowed": gram.FormatBytes(compute.MaxMemory), "the landmarks": string(approximation),
		"the treatment of the matrix": string(p.Indefinite), "the version of mercer": model.Version}
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
