package mercer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/model"
	"example.org/mercer/outcome"
	"example.org/mercer/rkhs/compress"
	"example.org/mercer/task"
)

// tensorWeights are n row weights, optional.
const tensorWeights = "weights"

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
	SelfTest *task.SelfTest    `json:"golden"`
	// Graphs holds the SHA-256 of the ids and weights of every graph that the kernel names.
	Graphs map[string]string `json:"graphs,omitempty"`

	Compression   *compress.Report  `json:"compression,omitempty"`
	Approximation *task.LandmarkMap `json:"approximation,omitempty"`
	History       *History          `json:"history,omitempty"`
	FeatureMap    *task.FeatureMap  `json:"feature_map,omitempty"`
	Exact         string            `json:"exact,omitempty"`
	Command       string            `json:"command,omitempty"`

	NoIntercept bool `json:"no_intercept,omitempty"`
}

// with returns the text of a card and the entries of states after it.
func (c card) with(entries map[string]any) (string, error) {
	text, err := json.Marshal(c)
	if err != nil || len(entries) == 0 {
		return string(text), err
	}
	more, err := json.Marshal(entries)
	if err != nil {
		return "", err
	}
	return string(text[:len(text)-1]) + "," + string(more[1:]), nil
}

// Save writes the model to one file, which appears whole or not at all. The times of
// the fit are not kept, so that the same fit gives the same bytes.
func (m *Model) Save(ctx context.Context, path string) error {
	text, tensors, err := m.encode()
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return model.WriteFile(ctx, path, tensors, metadataOf(text))
}

// Write writes what [Model.Save] would write, for an output that is no file.
func (m *Model) Write(w io.Writer) error {
	text, tensors, err := m.encode()
	if err != nil {
		return err
	}
	return model.Write(w, tensors, metadataOf(text))
}

func metadataOf(text string) map[string]string {
	return map[string]string{metadataKey: text, model.KeyVersion: model.Version}
}

// encode returns the text part and the tensors of a model file.
func (m *Model) encode() (text string, tensors map[string]model.Tensor, err error) {
	of, err := specOf(m.Method)
	if err != nil {
		return "", nil, err
	}
	report, err := learner.EncodeReport(of, m.Report, len(m.Decision.Outputs))
	if err != nil {
		return "", nil, err
	}
	f := m.Function
	c := card{Method: m.Method, Kernel: f.Text(), Points: f.Kind(), Form: f.Form(), Source: m.Source,
		Seed: m.Seed, Prep: m.Prep, Report: report, SelfTest: m.selfTest, Graphs: f.Graphs(), NoIntercept: m.NoIntercept,
		Approximation: m.Approximation, FeatureMap: m.FeatureMap, Exact: m.Exact, Command: m.Command, History: m.History}
	if m.Compression != nil {
		timed := *m.Compression
		timed.Run = model.Run{Warnings: timed.Warnings}
		c.Compression = &timed
	}
	if m.Decision.Rule != outcome.Coded || m.Decision.Calibration != nil {
		c.Decision = &m.Decision
	}
	e := &learner.Entries{JSON: map[string]any{}, Tensors: map[string]model.Tensor{}}
	problems := []error{f.Store(e.Tensors)}
	for _, s := range m.States {
		problems = append(problems, s.Store(e))
	}
	if f.StandsOnRows() {
		ids, err := json.Marshal(m.Trained)
		e.Tensors[task.TensorIDs], problems = model.Bytes(ids), append(problems, err)
	}
	if m.Weights != nil {
		problems = append(problems, e.Floats(tensorWeights, m.Weights))
	}
	text, err = c.with(e.JSON)
	return text, e.Tensors, errors.Join(append(problems, err)...)
}

// Load opens a model file: [LoadWith] no other files.
func Load(path string) (*Model, error) { return LoadWith(path, task.Files{}) }

// LoadWith opens a model file. The container checks its layout and checksum, this
// function that its parts fit together; nothing in a file is executed. files replace those
// that a kernel on row ids names. A graph must have the content it was fitted with.
//
// The numbers are views of the mapped file, which stays open for the life of the
// process.
func LoadWith(path string, files task.Files) (*Model, error) {
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

// Decode reads a model from the bytes of a file, which it keeps. files are as in [LoadWith].
func Decode(source string, raw []byte, files task.Files) (*Model, error) {
	file, err := model.Parse(source, raw)
	if err != nil {
		return nil, err
	}
	m, err := decode(file, files)
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
	if c.Prep == nil || c.Report == nil || c.SelfTest == nil {
		return nil, errors.New("the description of the model lacks its preparation, report or self-test rows")
	}
	if err := c.SelfTest.Check(); err != nil {
		return nil, err
	}
	m := &Model{Fitted: &learner.Fitted{Decision: outcome.ForTargets(c.Prep), NoIntercept: c.NoIntercept}, Method: c.Method, Source: c.Source, Seed: c.Seed, Prep: c.Prep,
		Version: file.Metadata()[model.KeyVersion], selfTest: c.SelfTest, Compression: c.Compression, Approximation: c.Approximation, FeatureMap: c.FeatureMap, Exact: c.Exact, Command: c.Command, History: c.History}
	if c.Decision != nil {
		m.Decision = *c.Decision
	}
	err := m.Decision.Check(c.Prep.Targets())
	if err != nil {
		return nil, err
	}
	outputs := len(m.Decision.Outputs)
	of, err := specOf(c.Method)
	if err != nil {
		return nil, err
	}
	if m.Report, err = learner.DecodeReport(of, c.Report, outputs); err != nil {
		return nil, err
	}
	if c.Form == task.FormMixture && (c.Decision == nil || c.Decision.Rule != outcome.Clusters || c.Decision.Link != outcome.Softmax) {
		return nil, errors.New("the model is a mixture, and its points or its decision are not those of one")
	}
	stored := task.StoredFunction{Points: c.Points, Kernel: c.Kernel, Form: c.Form, Prep: c.Prep, Graphs: c.Graphs, FeatureMap: c.FeatureMap}
	if m.Function, err = stored.Decode(file, outputs, files); err != nil {
		return nil, err
	}
	var entries map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &entries); err != nil {
		return nil, fmt.Errorf("the description of the model cannot be read: %w", err)
	}
	return m, m.decodeRows(file, of, entries)
}

// specOf returns what is known of the method of a model.
func specOf(method string) (*learner.Spec, error) {
	of := methods.Named(method)
	if of == nil {
		return nil, fmt.Errorf("the model was made by method %q, which this version (%s) does not know", method, model.Version)
	}
	return of, nil
}

// decodeRows reads what a model keeps of its training rows.
func (m *Model) decodeRows(file *model.File, of *learner.Spec, entries map[string]json.RawMessage) (err error) {
	n := -1
	if r, ok := m.Report.(interface{ TrainingRows() int }); ok {
		n = r.TrainingRows()
	}
	if file.Has(tensorWeights) {
		if m.Weights, err = file.Floats(tensorWeights, n); err != nil {
			return err
		}
	}
	if m.States, err = learner.DecodeStates(of, &learner.Stored{Fitted: m.Fitted, File: file, JSON: entries, TrainingRows: n, Steps: m.Prep, Compressed: m.Compression != nil}); err != nil {
		return err
	}
	if !m.Function.StandsOnRows() {
		return nil
	}
	if m.Trained, err = task.TrainingIDs(file); err != nil {
		return err
	}
	if size := m.Function.Size(); size != len(m.Trained) || n >= 0 && size > n {
		return fmt.Errorf("the model has %d training rows, %d names for them, and its report speaks of %d", size, len(m.Trained), n)
	}
	return nil
}
