package sklearn

import (
	"context"
	"maps"
	"slices"
	"strings"

	"example.org/mercer/sklearn/skops"
)

// reader makes a model of a tree.
type reader struct {
	ctx   context.Context
	model *Model
	rows  rows // what comes out of the steps so far
}

// The classes that are known, by what they do to rows.
var (
	transformers = map[string]func(*reader, *skops.Value, []Feature) []Feature{
		"StandardScaler":      (*reader).standardScaler,
		"MinMaxScaler":        (*reader).minMaxScaler,
		"MaxAbsScaler":        (*reader).maxAbsScaler,
		"RobustScaler":        (*reader).robustScaler,
		"SimpleImputer":       (*reader).simpleImputer,
		"OneHotEncoder":       (*reader).oneHotEncoder,
		"FunctionTransformer": (*reader).functionTransformer,
	}
	estimators = map[string]func(*reader, *skops.Value){
		"KernelRidge":               (*reader).kernelRidge,
		"SVC":                       (*reader).supportVectors,
		"NuSVC":                     (*reader).supportVectors,
		"SVR":                       (*reader).supportVectors,
		"NuSVR":                     (*reader).supportVectors,
		"OneClassSVM":               (*reader).supportVectors,
		"GaussianProcessRegressor":  (*reader).process,
		"GaussianProcessClassifier": (*reader).processClassifier,
		"KernelPCA":                 (*reader).kernelPCA,
		"Ridge":                     (*reader).linearNumbers,
		"LinearRegression":          (*reader).linearNumbers,
		"LinearSVR":                 (*reader).linearNumbers,
		"SGDRegressor":              (*reader).linearNumbers,
		"RidgeClassifier":           (*reader).linearClasses,
		"LinearSVC":                 (*reader).linearClasses,
		"SGDClassifier":             (*reader).linearClasses,
		"LogisticRegression":        (*reader).logistic,
	}
)

// searches are the classes whose best estimator answers.
var searches = []string{"GridSearchCV", "RandomizedSearchCV", "HalvingGridSearchCV", "HalvingRandomSearchCV"}

// library is the package of every class that is known.
const library = "sklearn"

// pipeline reads an estimator, or steps of which the last may be one.
func (r *reader) pipeline(v *skops.Value) {
	if version := v.Get("_sklearn_version"); !version.Missing() {
		r.model.Version = version.String()
	}
	if slices.Contains(searches, v.Class()) && v.Of(library) {
		r.pipeline(v.Get("best_estimator_"))
		return
	}
	r.inputs(v)
	r.step(v)
}

// inputs notes the columns of the first step that knows them.
func (r *reader) inputs(v *skops.Value) {
	if r.model.Width > 0 || v.Err() != nil {
		return
	}
	if v.Class() == "Pipeline" {
		for _, step := range v.Get("steps").Items() {
			if parts := step.Items(); len(parts) == 2 && !parts[1].IsString() {
				r.inputs(parts[1])
			}
		}
		return
	}
	width := v.Get("n_features_in_")
	if width.Missing() {
		v.Failf("is a %s without n_features_in_: it was not fitted, or by a scikit-learn before 1.0", v.Qualified())
		return
	}
	r.model.Width = width.Int(r.ctx)
	if r.model.Width < 1 || r.model.Width > mostColumns {
		width.Failf("is %d, and models have 1 to %d columns", r.model.Width, mostColumns)
		r.model.Width = 0
		return
	}
	if names := v.Get("feature_names_in_"); !names.Missing() {
		r.model.Columns = names.Texts(r.ctx)
		if len(r.model.Columns) != r.model.Width {
			names.Failf("has %d names for %d columns", len(r.model.Columns), r.model.Width)
		}
	}
	r.rows = rows{features: plain(r.model.Width)}
}

// mostColumns bounds the columns of a model.
const mostColumns = 1 << 20

// step reads one step of a pipeline.
func (r *reader) step(v *skops.Value) {
	if v.Err() != nil {
		return
	}
	if r.model.points != nil {
		v.Failf("is a %s behind a %s: only the last step may predict", v.Qualified(), r.model.Class)
		return
	}
	transform, transforms := transformers[v.Class()]
	estimate, estimates := estimators[v.Class()]
	switch {
	case v.IsString() && v.String() == "passthrough", v.IsNone():
	case !v.Of(library):
		v.Failf("is %s, which is no class of scikit-learn that is known", v.Qualified())
	case v.Class() == "Pipeline":
		for _, step := range v.Get("steps").Items() {
			if parts := step.Items(); len(parts) == 2 {
				r.step(parts[1])
			}
		}
	case v.Class() == "ColumnTransformer":
		r.columnTransformer(v)
	case v.Class() == "Nystroem":
		r.nystroem(v)
	case transforms && r.rows.mapped != nil:
		v.Failf("is a %s behind Nystroem: only linear models follow it here", v.Qualified())
	case transforms:
		r.rows.features = transform(r, v, r.rows.features)
	case estimates:
		r.model.Class = v.Class()
		estimate(r, v)
	default:
		v.Failf("is a %s, which cannot be read: known are %s", v.Qualified(), known())
	}
}

// known lists the classes.
func known() string {
	names := []string{"Pipeline", "ColumnTransformer", "Nystroem"}
	for _, table := range []func(func(string) bool){maps.Keys(transformers), maps.Keys(estimators)} {
		names = slices.AppendSeq(names, table)
	}
	slices.Sort(names)
	return strings.Join(slices.Concat(names, searches), ", ")
}

// unless refuses a setting that is something else.
func (r *reader) unless(v *skops.Value, ok bool, why string) {
	if !ok {
		v.Failf("%s", why)
	}
}
