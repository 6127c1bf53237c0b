package serve

import (
	"context"
	"net/http"
	"strconv"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/serve/oip"
)

// headerLength is the header with the length of the JSON in front of binary tensors.
const headerLength = "Inference-Header-Content-Length"

// find returns the version that a request names.
func (x *exchange) find() (*entry, *version, error) {
	e, v, err := x.s.answering(x.PathValue("model"), x.PathValue("version"))
	if e != nil {
		x.model = e.name
	}
	return e, v, err
}

// infer answers a request of the Open Inference Protocol.
func infer(s *Server, x *exchange) error {
	e, v, err := x.find()
	if err != nil {
		return err
	}
	body, err := x.read()
	if err != nil {
		return err
	}
	header := -1
	if text := x.Header.Get(headerLength); text != "" {
		if header, err = strconv.Atoi(text); err != nil || header < 0 {
			return refuse(http.StatusBadRequest, "%s is %s: give a number of bytes", headerLength, data.Quote(text))
		}
	}
	r, err := oip.Read(body, header)
	if err != nil {
		return bad(err)
	}
	outputs, err := s.infer(x, e, v, r)
	if err != nil {
		return err
	}
	answer := oip.Answer{Model: v.name, Version: v.id(), ID: r.ID}
	if answer.Outputs, err = r.Select(outputs); err != nil {
		return bad(err)
	}
	out, length, err := answer.Encode()
	if err != nil {
		return bad(err)
	}
	if length < 0 {
		return x.send("application/json", out)
	}
	x.w.Header().Set(headerLength, strconv.Itoa(length))
	return x.send("application/octet-stream", out)
}

// infer computes the outputs of a request: a value for each of its rows, or an error.
func (s *Server) infer(x *exchange, e *entry, v *version, r *oip.Request) ([]oip.Output, error) {
	t, err := r.Table(v.columns.Inputs, v.columns.ID)
	if err != nil {
		return nil, bad(err)
	}
	if x.rows = t.Rows(); x.rows == 0 {
		return nil, refuse(http.StatusBadRequest, "the request has no rows")
	}
	p, added, err := s.predict(x.Context(), e, v, t, extras{interval: r.Interval, sets: r.Sets})
	if err != nil {
		return nil, err
	}
	if kept := len(p.Rows.Rows); kept != t.Rows() {
		return nil, refuse(http.StatusBadRequest, "row %d has a missing value, and the model was trained to leave such rows out: complete it, or leave it out", firstGap(p.Rows.Rows))
	}
	return append(oip.OutputsOf(p), tensorsOf(added)...), nil
}

// firstGap returns the first number from 1 on that is not among rows, which count from 0.
func firstGap(rows []int) int {
	for i, row := range rows {
		if row != i {
			return i + 1
		}
	}
	return len(rows) + 1
}

// describe answers with the metadata of a model.
func describe(_ *Server, x *exchange) error {
	_, v, err := x.find()
	if err != nil {
		return err
	}
	return x.json(v.metadata())
}

// modelReady answers whether a model does.
func modelReady(_ *Server, x *exchange) error {
	_, v, err := x.find()
	if err != nil {
		return err
	}
	return x.json(map[string]any{"name": v.name, "ready": true})
}

// ready reports whether all models answer and the server is not ending.
func (s *Server) ready() bool {
	for _, e := range s.all() {
		if e.current.Load() == nil {
			return false
		}
	}
	return !s.ending.Load()
}

func isLive(_ *Server, x *exchange) error { return x.json(map[string]bool{"live": true}) }

func isReady(s *Server, x *exchange) error {
	if !s.ready() {
		x.w.Header().Set("Content-Type", "application/json")
		x.WriteHeader(http.StatusServiceUnavailable)
	}
	return x.json(map[string]bool{"ready": s.ready(), "live": true})
}

// state is that of a model in the repository.
type state struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	State   string `json:"state"`
	Reason  string `json:"reason"`
}

// states are those of all models.
func (s *Server) states() []state {
	all := []state{}
	for _, e := range s.all() {
		one := state{Name: e.name, State: "UNAVAILABLE", Reason: e.reason()}
		if v := e.current.Load(); v != nil {
			one.Version, one.State = v.id(), "READY"
		}
		all = append(all, one)
	}
	return all
}

// repositoryIndex lists the models.
func repositoryIndex(s *Server, x *exchange) error { return x.json(s.states()) }

// loadModel reads a model's file again.
func loadModel(s *Server, x *exchange) error {
	if err := s.reread(x, x.PathValue("model")); err != nil {
		return err
	}
	return x.json(struct{}{})
}

// unloadModel lets a model answer no more.
func unloadModel(s *Server, x *exchange) error {
	if err := s.forgetModel(x, x.PathValue("model")); err != nil {
		return err
	}
	return x.json(struct{}{})
}

func (s *Server) reread(x *exchange, name string) error {
	e, err := s.administered(x, name)
	if err != nil {
		return err
	}
	if _, err := s.load(s.background, e, true); err != nil {
		return &failure{http.StatusUnprocessableEntity, err}
	}
	return nil
}

func (s *Server) forgetModel(x *exchange, name string) error {
	e, err := s.administered(x, name)
	if err != nil {
		return err
	}
	e.unload()
	s.o.Log.Info("model is unloaded", "model", e.name)
	return nil
}

// administered returns the entry that a request is to change, where it may.
func (s *Server) administered(x *exchange, name string) (*entry, error) {
	if !s.o.Admin || s.tokens == nil {
		return nil, refuse(http.StatusForbidden, "models are loaded and unloaded by requests only where the server was started so, and asks for tokens")
	}
	e, err := s.entry(name)
	if err == nil {
		x.model = e.name
	}
	return e, err
}

// verifyModel lets a model predict the rows that it tests itself by.
func verifyModel(s *Server, x *exchange, e *entry, v *version) error {
	var found *mercer.Verification
	err := s.alone(x.Context(), e, v, func(ctx context.Context, how compute.Options) error {
		got, err := v.Verify(ctx, how)
		if err != nil {
			return &failure{http.StatusInternalServerError, err}
		}
		found = got
		return nil
	})
	if err != nil {
		return err
	}
	return x.json(found)
}
