package pipeline

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"example.org/mercer/data/prep"
	"example.org/mercer/model"
	"example.org/mercer/outcome"
	"example.org/mercer/rkhs/compress"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/sparsegp"
	"example.org/mercer/task"
)

// The names of the tensors in a model file.
const (
	tensorLOO     = "loo"     // n×m leave-one-out residuals, optional
	tensorWeights = "weights" // n row weights, optional
	tensorNoise   = "noise"   // n variances of the noise that rows have of their own, optional
	tensorTargets = "targets" // n×m targets of the training rows, where rows can come and go
	tensorFactor  = "factor"  // n(n+1)/2: the Cholesky factor of the system row by row, optional
	tensorCache   = "cache"   // n×k: R of a gp.LowRankCache, optional
	tensorAlong   = "along"   // n: its Mean, where that is not known
	tensorScores  = "scores"  // n×1 conformal scores, of labels n×2 with their class, optional
	tensorSums    = "sums"    // integers of 128 bits, low words and high words: sums over the rows, optional
	tensorPrints  = "prints"  // n fingerprints of the rows of the sums, ascending
)

// metadataKey is the one entry of the metadata that is ours, beside the container's.
const metadataKey = "model"

// card is the text part of a model file.
type card struct {
	Method   string            `json:"method"`
	Kernel   string            `json:"kernel"`
	Points   string            `json:"points"`
	Form     string            `json:"form"`
	Source   string            `json:"source"`
	Seed     uint64            `json:"seed"`
	Prep     *prep.Pipeline    `json:"preparation"`
	Report   json.RawMessage   `json:"report"`
	Decision *outcome.Decision `json:"decision,omitempty"` // nil: coded
	Golden   *task.SelfTest    `json:"golden"`
	// Graphs holds the SHA-256 of the ids and weights of every graph that the kernel names.
	Graphs map[string]string `json:"graphs,omitempty"`

	Compression   *compress.Report  `json:"compression,omitempty"`
	Approximation *task.LandmarkMap `json:"approximation,omitempty"`
	History       *History          `json:"history,omitempty"`
	FeatureMap    *task.FeatureMap  `json:"feature_map,omitempty"`
	Exact         string            `json:"exact,omitempty"`

	Sums *sumsCard `json:"sums,omitempty"`

	NoIntercept bool   `json:"no_intercept,omitempty"`
	NoiseColumn string `json:"noise_column,omitempty"`
}

// Save writes the model to one file, which appears whole or not at all. The times of
// the fit are not kept, so that the same fit gives the same bytes.
func (m *Model) Save(ctx context.Context, path string) error {
	report, err := timeless(m.Report)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	c := card{Method: m.Method, Kernel: m.f.Text(), Points: m.f.Kind(), Form: m.f.Form(), Source: m.Source,
		Seed: m.Seed, Prep: m.Prep, Report: report, Golden: m.golden, Graphs: m.f.Graphs(), NoIntercept: m.NoIntercept, NoiseColumn: m.noise.column,
		Approximation: m.Approximation, FeatureMap: m.FeatureMap, Exact: m.Exact, History: m.History, Sums: m.summed.card()}
	if m.Compression != nil {
		timed := *m.Compression
		timed.Run = model.Run{Warnings: timed.Warnings}
		c.Compression = &timed
	}
	if m.Decision.Rule != outcome.Coded || m.Decision.Calibration != nil {
		c.Decision = &m.Decision
	}
	text, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	tensors := map[string]model.Tensor{}
	problems := []error{m.f.Store(tensors), m.summed.Store(tensors), m.storeSparse(tensors), m.storeWeights(tensors)}
	if m.f.Form() == task.FormDual {
		ids, err := json.Marshal(m.Trained)
		tensors[task.TensorIDs], problems = model.Bytes(ids), append(problems, err)
	}
	store := func(name string, x []float64) {
		t, err := model.Float64s(x, len(x))
		tensors[name], problems = t, append(problems, err)
	}
	if m.LOO != nil {
		tensors[tensorLOO] = model.Dense(m.LOO)
	}
	if m.Targets != nil {
		tensors[tensorTargets] = model.Dense(m.Targets)
	}
	if m.factor != nil {
		store(tensorFactor, m.factor.Rows())
	}
	if m.cache != nil {
		if tensors[tensorCache] = model.Dense(m.cache.R); m.cache.Mean != nil {
			store(tensorAlong, m.cache.Mean)
		}
	}
	if m.Conformal != nil {
		tensors[tensorScores] = model.Dense(m.Conformal)
	}
	if m.Weights != nil {
		store(tensorWeights, m.Weights)
	}
	if m.noise.train != nil {
		store(tensorNoise, m.noise.train)
	}
	if err := errors.Join(problems...); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return model.WriteFile(ctx, path, tensors, map[string]string{metadataKey: string(text), model.KeyVersion: model.Version})
}

// Load opens a model file. The container checks its layout and checksum, this
// function that its parts fit together; nothing in a file is executed. files replace those
// that a kernel on row ids names. A graph must have the content it was fitted with.
//
// The numbers are views of the mapped file, which stays open for the life of the
// process.
func Load(path string, files task.Files) (*Model, error) {
	file, err := model.Open(path)
	if err != nil {
		return nil, err
	}
	m, err := decode(file, files)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), file.Close())
	}
	return m, nil
}

// Decode reads a model from the bytes of a file.
func Decode(source string, raw []byte) (*Model, error) {
	file, err := model.Parse(source, raw)
	if err != nil {
		return nil, err
	}
	m, err := decode(file, task.Files{})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", source, err)
	}
	return m, nil
}

func decode(file *model.File, files task.Files) (*Model, error) {
	text, ok := file.Metadata()[metadataKey]
	if !ok {
		return nil, fmt.Errorf("the file is a safetensors file without the entry %q in its metadata: not a mercer model", metadataKey)
	}
	var c card
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		return nil, fmt.Errorf("the description of the model cannot be read: %w", err)
	}
	if c.Prep == nil || c.Report == nil || c.Golden == nil {
		return nil, errors.New("the description of the model lacks its preparation, report or golden rows")
	}
	if err := c.Golden.Check(); err != nil {
		return nil, err
	}
	m := &Model{Method: c.Method, Source: c.Source, Seed: c.Seed, Prep: c.Prep, Decision: outcome.ForTargets(c.Prep),
		Version: file.Metadata()[model.KeyVersion], NoIntercept: c.NoIntercept, golden: c.Golden, Compression: c.Compression, Approximation: c.Approximation, FeatureMap: c.FeatureMap, Exact: c.Exact, History: c.History, noise: rowNoise{column: c.NoiseColumn}}
	if c.Decision != nil {
		m.Decision = *c.Decision
	}
	err := m.Decision.Check(c.Prep.Targets())
	if err != nil {
		return nil, err
	}
	outputs := len(m.Decision.Outputs)
	if m.Report, err = decodeReport(c.Method, c.Report, outputs); err != nil {
		return nil, err
	}
	if c.Form == task.FormMixture && (c.Decision == nil || c.Decision.Rule != outcome.Clusters || c.Decision.Link != outcome.Softmax) {
		return nil, errors.New("the model is a mixture, and its points or its decision are not those of one")
	}
	stored := task.StoredFunction{Points: c.Points, Kernel: c.Kernel, Form: c.Form, Prep: c.Prep, Graphs: c.Graphs, FeatureMap: c.FeatureMap}
	if m.f, err = stored.Decode(file, outputs, files); err != nil {
		return nil, err
	}
	if c.Sums != nil {
		if m.summed, err = decodeSums(file, c.Sums, m.f.Size(), outputs); err != nil {
			return nil, err
		}
	}
	return m, m.decodeRows(file, outputs)
}

// decodeRows reads what a model keeps of its training rows.
func (m *Model) decodeRows(file *model.File, outputs int) (err error) {
	n := -1
	switch r := m.Report.(type) {
	case *krr.Report:
		n = r.N
	case *gp.Report:
		n = r.N
	case *gp.ClassReport:
		n = r.N
	case *sparsegp.Report:
		n = r.N
	}
	if err := errors.Join(m.decodeSparse(file), m.decodeWeights(file)); err != nil {
		return err
	}
	if file.Has(tensorLOO) {
		if m.LOO, err = file.Matrix(tensorLOO, n, outputs); err != nil {
			return err
		}
	}
	if file.Has(tensorWeights) {
		if m.Weights, err = file.Floats(tensorWeights, n); err != nil {
			return err
		}
	}
	if m.noise.column != "" && m.Compression == nil && m.sparse == nil {
		if m.noise.train, err = file.Floats(tensorNoise, n); err != nil {
			return err
		}
	}
	if file.Has(tensorScores) {
		if m.Conformal, err = file.Matrix(tensorScores, n, -1); err != nil {
			return err
		}
		if err := (outcome.Conformal{Values: m.Conformal, Weights: m.Weights}).Check(m.Prep.Targets()); err != nil {
			return err
		}
	}
	if err := errors.Join(m.decodeTargets(file, n, outputs), m.decodeCache(file, n)); err != nil {
		return err
	}
	if m.f.Form() != task.FormDual {
		return nil
	}
	if m.Trained, err = task.TrainingIDs(file); err != nil {
		return err
	}
	if size := m.f.Size(); size != len(m.Trained) || n >= 0 && (size > n || m.LOO != nil && size != n) {
		return fmt.Errorf("the model has %d training rows, %d names for them, and its report speaks of %d", size, len(m.Trained), n)
	}
	return nil
}

// decodeCache reads that of the variances of a process.
func (m *Model) decodeCache(file *model.File, n int) (err error) {
	if !file.Has(tensorCache) {
		return nil
	}
	r, ok := m.Report.(*gp.Report)
	if !ok || r.Cache == nil {
		return fmt.Errorf("the model has a variance cache, and its report (method %q) does not speak of one", m.Method)
	}
	m.cache = new(gp.LowRankCache)
	if m.cache.R, err = file.Matrix(tensorCache, n, r.Cache.Rank); err != nil || r.Mean == gp.Zero {
		return err
	}
	m.cache.Mean, err = file.Floats(tensorAlong, n)
	return err
}
