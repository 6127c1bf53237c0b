package sklearn

import (
	"math"
	"slices"
	"strconv"

	"example.org/mercer/sklearn/skops"
)

// Feature is a coordinate of points: the number of a column, (x − Center)/Scale, or whether the
// column has a Level.
type Feature struct {
	Column int // counted from 0
	Center float64
	Scale  float64
	// Level is a category as tables write it, where IsLevel.
	Level   string
	IsLevel bool
	// Levels are all categories of the column, sorted. One that has no feature of its own may be
	// among them.
	Levels []string
	// Fills says that a missing cell is filled in: by Fill, or with the category FillLevel.
	Fills     bool
	Fill      float64
	FillLevel string
}

// rows are what steps have made of the columns of a table.
type rows struct {
	features []Feature
	mapped   *nystroemMap // nil: the features themselves
}

// plain are columns as they are.
func plain(width int) []Feature {
	out := make([]Feature, width)
	for j := range out {
		out[j] = Feature{Column: j, Scale: 1}
	}
	return out
}

// affine moves and scales features: x becomes (x − center)/scale.
func (r *reader) affine(v *skops.Value, features []Feature, center, scale []float64) []Feature {
	if v.Err() != nil {
		return features
	}
	if center != nil && len(center) != len(features) || scale != nil && len(scale) != len(features) {
		v.Failf("has %d centres and %d scales for %d features", len(center), len(scale), len(features))
		return features
	}
	out := slices.Clone(features)
	for j := range out {
		f := &out[j]
		c, s := 0.0, 1.0
		if center != nil {
			c = center[j]
		}
		if scale != nil {
			s = scale[j]
		}
		switch {
		case c == 0 && s == 1:
		case f.IsLevel:
			v.Failf("is a %s of the columns of OneHotEncoder: put it before, on the numbers alone", v.Qualified())
			return features
		case !(s > 0):
			v.Failf("divides feature %d by %v", j, s)
			return features
		case f.Center == 0 && f.Scale == 1:
			f.Center, f.Scale = c, s
		default: // ((x − a)/b − c)/s
			f.Center, f.Scale = f.Center+c*f.Scale, f.Scale*s
		}
	}
	return out
}

func (r *reader) standardScaler(v *skops.Value, features []Feature) []Feature {
	return r.affine(v, features, r.optional(v.Get("mean_"), v.Get("with_mean")), r.optional(v.Get("scale_"), v.Get("with_std")))
}

func (r *reader) robustScaler(v *skops.Value, features []Feature) []Feature {
	return r.affine(v, features, r.optional(v.Get("center_"), v.Get("with_centering")), r.optional(v.Get("scale_"), v.Get("with_scaling")))
}

func (r *reader) maxAbsScaler(v *skops.Value, features []Feature) []Feature {
	if clip := v.Get("clip"); !clip.Missing() {
		r.unless(clip, !clip.Bool(), "cuts numbers outside of the range: set clip=False")
	}
	return r.affine(v, features, nil, v.Get("scale_").Floats(r.ctx))
}

// minMaxScaler reads x·scale + min as (x + min/scale)·scale.
func (r *reader) minMaxScaler(v *skops.Value, features []Feature) []Feature {
	if clip := v.Get("clip"); !clip.Missing() {
		r.unless(clip, !clip.Bool(), "cuts numbers outside of the range: set clip=False")
	}
	scale, least := v.Get("scale_").Floats(r.ctx), v.Get("min_").Floats(r.ctx)
	if v.Err() != nil || len(scale) != len(least) {
		v.Failf("has %d scales and %d minima", len(scale), len(least))
		return features
	}
	center := make([]float64, len(scale))
	for j, s := range scale {
		if !(s > 0) {
			v.Failf("multiplies feature %d by %v", j, s)
			return features
		}
		center[j], scale[j] = -least[j]/s, 1/s
	}
	return r.affine(v, features, center, scale)
}

// optional reads numbers that a setting may leave out.
func (r *reader) optional(numbers, with *skops.Value) []float64 {
	if !with.Bool() || numbers.IsNone() {
		return nil
	}
	return numbers.Floats(r.ctx)
}

// functionTransformer is what ColumnTransformer puts for columns that it passes through.
func (r *reader) functionTransformer(v *skops.Value, features []Feature) []Feature {
	r.unless(v, v.Get("func").IsNone(), "is a FunctionTransformer of a function of Python, which is no data: leave it out, or compute its columns before")
	return features
}

func (r *reader) simpleImputer(v *skops.Value, features []Feature) []Feature {
	r.unless(v.Get("add_indicator"), !v.Get("add_indicator").Bool(), "marks missing cells: set add_indicator=False")
	if text, _ := v.Get("missing_values").Written(); text != "NaN" && text != "null" {
		v.Get("missing_values").Failf("is no NaN: cells of a table are missing where they are empty, so put another encoding into the table")
	}
	statistics := v.Get("statistics_").Texts(r.ctx)
	if v.Err() == nil && len(statistics) != len(features) {
		v.Failf("has %d statistics for %d features", len(statistics), len(features))
	}
	if v.Err() != nil {
		return features
	}
	out := slices.Clone(features)
	for j := range out {
		f := &out[j]
		if f.IsLevel || f.Center != 0 || f.Scale != 1 {
			v.Failf("is a SimpleImputer behind another step: put it first")
			return features
		}
		f.Fills, f.FillLevel = true, statistics[j]
		var err error
		if f.Fill, err = strconv.ParseFloat(statistics[j], 64); err != nil {
			f.Fill = math.NaN() // no number: of a category
		}
	}
	return out
}

func (r *reader) oneHotEncoder(v *skops.Value, features []Feature) []Feature {
	if infrequent := v.Get("_infrequent_enabled"); !infrequent.Missing() {
		r.unless(infrequent, !infrequent.Bool(), "puts rare categories together: set min_frequency=None and max_categories=None")
	}
	categories := v.Get("categories_").Items()
	dropped := make([]int, len(categories))
	for c := range dropped {
		dropped[c] = -1
	}
	if drop := v.Get("drop_idx_"); !drop.Missing() && !drop.IsNone() {
		r.dropped(drop, dropped)
	}
	if v.Err() == nil && len(categories) != len(features) {
		v.Failf("has the categories of %d columns, and there are %d", len(categories), len(features))
	}
	var out []Feature
	for c, of := range categories {
		if v.Err() != nil {
			return features
		}
		f := features[c]
		if f.IsLevel || f.Center != 0 || f.Scale != 1 {
			v.Failf("is a OneHotEncoder behind another step of the same columns")
			return features
		}
		levels := of.Texts(r.ctx)
		f.IsLevel, f.Levels = true, slices.Sorted(slices.Values(levels))
		for l, level := range levels {
			if f.Level = level; l != dropped[c] {
				out = append(out, f)
			}
		}
	}
	return out
}

// dropped reads which category of each column has no feature.
func (r *reader) dropped(drop *skops.Value, into []int) {
	if drop.IsNumbers() {
		for c, l := range drop.Floats(r.ctx) {
			if c < len(into) {
				into[c] = int(l)
			}
		}
		return
	}
	for c, item := range drop.Items() {
		if c < len(into) && !item.IsNone() {
			into[c] = item.Int(r.ctx)
		}
	}
}

// columnTransformer puts the features of its parts side by side.
func (r *reader) columnTransformer(v *skops.Value) {
	r.unless(v.Get("transformer_weights"), v.Get("transformer_weights").IsNone(), "multiplies columns: set transformer_weights=None")
	indices := v.Get("_transformer_to_input_indices")
	var out []Feature
	for _, part := range v.Get("transformers_").Items() {
		parts := part.Items()
		if v.Err() != nil || len(parts) != 3 {
			part.Failf("is no triple of name, transformer and columns")
			return
		}
		if parts[1].IsString() && parts[1].String() == "drop" {
			continue
		}
		var chosen []Feature
		for _, item := range indices.Get(parts[0].String()).Items() {
			j := item.Int(r.ctx)
			if v.Err() != nil || j < 0 || j >= len(r.rows.features) {
				item.Failf("is %d, and there are %d columns", j, len(r.rows.features))
				return
			}
			chosen = append(chosen, r.rows.features[j])
		}
		if len(chosen) > 0 {
			out = append(out, r.part(parts[1], chosen)...)
		}
	}
	r.rows.features = out
}

// part applies the transformer of some columns.
func (r *reader) part(v *skops.Value, features []Feature) []Feature {
	alone := &reader{ctx: r.ctx, model: &Model{}, rows: rows{features: features}}
	alone.step(v)
	if alone.model.points != nil || alone.rows.mapped != nil {
		v.Failf("is a %s inside of a ColumnTransformer", v.Qualified())
	}
	return alone.rows.features
}
