package serve

import (
	"bytes"
	"context"
	"iter"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/outcome"
	"example.org/mercer/outcome/tabular"
	"example.org/mercer/serve/records"
)

// call is what is asked of a model: the part of NAME:call behind the colon.
type call struct {
	name string
	// beside are the coverages where the query gives none.
	beside  extras
	summary string
	answer  func(s *Server, x *exchange, e *entry, v *version, t *data.Table, beside extras) error
}

// calls are all of them. A new one is a line here, and is in the OpenAPI document.
var calls = []call{
	{name: "predict", summary: "Predict rows; interval and sets in the query add bounds and label sets", answer: predictRows},
	{name: "intervals", beside: extras{interval: 0.9}, summary: "Predict rows with bounds that hold their targets in 90 % of cases, or as often as interval says", answer: predictRows},
	{name: "sets", beside: extras{sets: 0.9}, summary: "Predict rows with the sets of labels that hold theirs in 90 % of cases, or as often as sets says", answer: predictRows},
	{name: "probabilities", summary: "The probability of each class for each row", answer: probabilitiesOf},
	{name: "explain", summary: "Which training rows, columns or parts of the kernel carry each prediction", answer: explainRows},
}

// callModel answers POST /v1/models/NAME:call.
func callModel(s *Server, x *exchange) error {
	model, name, found := strings.Cut(x.PathValue("call"), ":")
	if !found {
		return refuse(http.StatusNotFound, "say what is wanted of the model: /v1/models/%s:predict", model)
	}
	e, v, err := s.answering(model, x.URL.Query().Get("version"))
	if e != nil {
		x.model = e.name
	}
	if err != nil {
		return err
	}
	if name == "verify" {
		return verifyModel(s, x, e, v)
	}
	for _, c := range calls {
		if c.name == name {
			return c.do(s, x, e, v)
		}
	}
	return refuse(http.StatusNotFound, "a model cannot be asked to %s: there are verify, %s", data.Quote(name), listed(func(yield func(string) bool) {
		for _, c := range calls {
			if !yield(c.name) {
				return
			}
		}
	}))
}

// listed are names in their order, for a sentence.
func listed(names iter.Seq[string]) string { return strings.Join(slices.Sorted(names), ", ") }

// do reads the table of a request and answers.
func (c call) do(s *Server, x *exchange, e *entry, v *version) error {
	body, err := x.read()
	if err != nil {
		return err
	}
	t, err := records.Read(x.Context(), x.media(), body, v.columns)
	if err != nil {
		return err
	}
	x.rows = t.Rows()
	beside, err := c.beside.read(x.URL.Query())
	if err != nil {
		return err
	}
	return c.answer(s, x, e, v, t, beside)
}

// predictRows answers with the columns that `mercer predict` writes.
func predictRows(s *Server, x *exchange, e *entry, v *version, t *data.Table, beside extras) error {
	p, added, err := s.predict(x.Context(), e, v, t, beside)
	if err != nil {
		return err
	}
	if p.Values == nil {
		return x.table(v, nil, nil, p.Rows.Notes)
	}
	header, lines := tabular.Tabulate(p, added)
	return x.table(v, header, lines, p.Rows.Notes)
}

// probabilitiesOf answers with the rows and their probabilities alone.
func probabilitiesOf(s *Server, x *exchange, e *entry, v *version, t *data.Table, _ extras) error {
	p, added, err := s.predict(x.Context(), e, v, t, extras{})
	if err != nil {
		return err
	}
	if p.Probabilities() == nil {
		return refuse(http.StatusBadRequest, "the model has no probabilities: those of klr and gpc have, and others that were fitted with --probabilities")
	}
	header, lines := tabular.Tabulate(p, added)
	keep := []int{0} // the row or id; the probabilities stand last
	for j := len(header) - len(p.Names()); j < len(header); j++ {
		keep = append(keep, j)
	}
	for i, line := range lines {
		lines[i] = data.Pick(line, keep)
	}
	return x.table(v, data.Pick(header, keep), lines, p.Rows.Notes)
}

// explanations are the ways to explain, by what the query calls "by".
var explanations = map[string]func(ctx context.Context, v *version, p *outcome.Prediction, o mercer.ExplainOptions, how compute.Options) (any, error){
	"rows": func(ctx context.Context, v *version, p *outcome.Prediction, o mercer.ExplainOptions, how compute.Options) (any, error) {
		return v.Explain(ctx, p, o, how)
	},
	"features": func(ctx context.Context, v *version, p *outcome.Prediction, o mercer.ExplainOptions, _ compute.Options) (any, error) {
		return v.BreakDown(ctx, p, o)
	},
	"gradient": func(ctx context.Context, v *version, p *outcome.Prediction, o mercer.ExplainOptions, how compute.Options) (any, error) {
		return v.Gradients(ctx, p, o, how)
	},
	"shapley": func(ctx context.Context, v *version, p *outcome.Prediction, o mercer.ExplainOptions, how compute.Options) (any, error) {
		return v.Shapley(ctx, p, o, how)
	},
}

// mostExplained bounds the rows of an explanation: each costs as much as thousands of predictions.
const mostExplained = 1000

// explainRows answers with what carries each prediction.
func explainRows(s *Server, x *exchange, e *entry, v *version, t *data.Table, _ extras) error {
	if t.Rows() > mostExplained {
		return refuse(http.StatusRequestEntityTooLarge, "%d rows are asked to be explained, and %d are at a time", t.Rows(), mostExplained)
	}
	by := x.URL.Query().Get("by")
	if by == "" {
		by = "rows"
	}
	way := explanations[by]
	if way == nil {
		return refuse(http.StatusBadRequest, "explanations by %s are not known: there are those by %s", data.Quote(by), listed(maps.Keys(explanations)))
	}
	o := mercer.ExplainOptions{Top: 10, Output: x.URL.Query().Get("output")}
	if text := x.URL.Query().Get("top"); text != "" {
		top, err := strconv.Atoi(text)
		if err != nil || top < 0 {
			return refuse(http.StatusBadRequest, "top is %s: give a number, 0 for all", data.Quote(text))
		}
		o.Top = top
	}
	var found any
	err := s.alone(x.Context(), e, v, func(ctx context.Context, how compute.Options) error {
		p, err := v.Predict(ctx, t, how)
		if err != nil {
			return err
		}
		got, err := way(ctx, v, p, o, how)
		found = got
		return err
	})
	if err != nil {
		return err
	}
	return x.json(map[string]any{"model": v.name, "version": v.id(), "by": by, "explanations": found})
}

// table answers with lines in the media type that is accepted, or in that of the request.
func (x *exchange) table(v *version, header []string, lines [][]any, notes []string) error {
	media := x.media()
	for _, one := range records.Media {
		if strings.Contains(x.Header.Get("Accept"), one) {
			media = one
			break
		}
	}
	if !slices.Contains(records.Media, media) {
		media = records.JSON
	}
	var out bytes.Buffer
	if err := records.Write(&out, media, v.name, v.id(), header, lines, notes); err != nil {
		return &failure{http.StatusInternalServerError, err}
	}
	return x.send(media, out.Bytes())
}

// info is what is told of a model.
type info struct {
	Name        string           `json:"name"`
	Version     string           `json:"version,omitempty"`
	Ready       bool             `json:"ready"`
	Reason      string           `json:"reason,omitempty"`
	Method      string           `json:"method,omitempty"`
	Kernel      string           `json:"kernel,omitempty"`
	Derivation  string           `json:"derivation,omitempty"`
	Form        string           `json:"form,omitempty"`
	Size        int              `json:"size,omitempty"`
	Inputs      []column         `json:"inputs,omitempty"`
	Outputs     []string         `json:"outputs,omitempty"`
	Labels      []string         `json:"labels,omitempty"`
	SHA256      string           `json:"sha256,omitempty"`
	Loaded      *time.Time       `json:"loaded,omitempty"`
	MercerMade  string           `json:"made_by,omitempty"`
	Preparation string           `json:"preparation,omitempty"`
	Contents    *mercer.Contents `json:"contents,omitempty"`
}

// column is one that a prediction needs.
type column struct {
	Name   string   `json:"name"`
	Kind   string   `json:"kind"`
	Unit   string   `json:"unit,omitempty"`
	Levels []string `json:"levels,omitempty"`
}

func infoOn(e *entry, whole bool) info {
	i := info{Name: e.name, Reason: e.reason()}
	v := e.current.Load()
	if v == nil {
		return i
	}
	i.Ready, i.Version, i.Method, i.SHA256, i.Loaded, i.MercerMade = true, v.id(), v.Method, v.digest, &v.loaded, v.Version
	i.Kernel = v.Kernel()
	i.Form, i.Size = v.Form()
	if !whole {
		return i
	}
	for _, c := range v.columns.Inputs {
		i.Inputs = append(i.Inputs, column{c.Name, c.Kind.String(), string(c.Unit), c.Levels})
	}
	for _, t := range v.Prep.Targets() {
		i.Labels = append(i.Labels, t.Labels...)
	}
	contents := v.Contents()
	i.Outputs, i.Derivation, i.Preparation, i.Contents = v.Decision.Outputs, v.Derivation().String(), v.Prep.String(), &contents
	return i
}

// listModels tells of all models.
func listModels(s *Server, x *exchange) error {
	all := []info{}
	for _, e := range s.all() {
		all = append(all, infoOn(e, false))
	}
	return x.json(map[string]any{"models": all})
}

// tellModel tells of one.
func tellModel(s *Server, x *exchange) error {
	e, err := s.entry(x.PathValue("model"))
	if err != nil {
		return err
	}
	x.model = e.name
	return x.json(infoOn(e, true))
}
