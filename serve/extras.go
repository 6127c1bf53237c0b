package serve

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/outcome"
	"example.org/mercer/outcome/tabular"
	"example.org/mercer/serve/oip"
)

// extras are coverages of what is wanted beside predictions; 0: none.
type extras struct{ interval, sets float64 }

// read reads them from a query, where it has some.
func (e extras) read(query url.Values) (extras, error) {
	for name, to := range map[string]*float64{"interval": &e.interval, "sets": &e.sets} {
		text := query.Get(name)
		if text == "" {
			continue
		}
		level, err := strconv.ParseFloat(text, 64)
		if err != nil || !(level > 0 && level < 1) {
			return e, refuse(http.StatusBadRequest, "%s is %s: give the coverage wanted, such as 0.9", name, data.Quote(text))
		}
		*to = level
	}
	return e, nil
}

// predictBeside predicts a table and what is wanted beside.
func (s *Server) predictBeside(ctx context.Context, e *entry, v *version, t *data.Table, beside extras) (*outcome.Prediction, *tabular.Additions, error) {
	var said *outcome.Prediction // a request that has timed out reads none of it
	added := &tabular.Additions{}
	err := s.alone(ctx, e, v, func(ctx context.Context, how compute.Options) (err error) {
		if said, err = v.Predict(ctx, t, how); err != nil {
			return err
		}
		v.drift.see(said)
		if beside.interval > 0 {
			if err := v.IntervalsBeside(ctx, added, said, beside.interval, "", how); err != nil {
				return err
			}
		}
		if beside.sets > 0 {
			added.Sets, err = v.Sets(said, beside.sets, false)
		}
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	return said, added, nil
}

// tensorsOf are the additions to a prediction as outputs.
func tensorsOf(a *tabular.Additions) (all []oip.Output) {
	switch {
	case a.Lo != nil:
		all = append(all, ofMatrix(oip.Lower, a.Lo), ofMatrix(oip.Upper, a.Hi))
	case a.Lower != nil:
		n := len(a.Lower)
		all = append(all, oip.Output{Name: oip.Lower, Datatype: oip.FP64, Shape: []int{n, 1}, Numbers: a.Lower},
			oip.Output{Name: oip.Upper, Datatype: oip.FP64, Shape: []int{n, 1}, Numbers: a.Upper})
	}
	if a.Sets != nil {
		out := oip.Output{Name: oip.LabelSet, Datatype: oip.Bytes, Shape: []int{len(a.Sets)}}
		for _, set := range a.Sets {
			out.Strings = append(out.Strings, strings.Join(set, "|"))
		}
		all = append(all, out)
	}
	return all
}

func ofMatrix(name string, m *mat.Dense) oip.Output {
	n, columns := m.Dims()
	out := oip.Output{Name: name, Datatype: oip.FP64, Shape: []int{n, columns}, Numbers: make([]float64, 0, n*columns)}
	for i := range n {
		out.Numbers = append(out.Numbers, m.RawRowView(i)...)
	}
	return out
}
