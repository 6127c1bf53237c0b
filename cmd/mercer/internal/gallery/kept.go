package gallery

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/filters"
	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/data"
	"example.org/mercer/kernel/ckn"
	"example.org/mercer/supervised/krr"
)

// keptLayers are those of the network whose layers are decoded, and keptFilters how many each has.
var keptLayers = []ckn.Layer{{Patch: 5, Pool: 2, Sigma: 0.6}, {Patch: 3, Pool: 2, Sigma: 0.6}, {Patch: 3, Pool: 2, Sigma: 0.6}}

const keptFilters = 32

// drawKept shows images, and what ridge regression can tell of their pixels from the features of
// each layer.
func drawKept(ctx context.Context, s *figureContext) (figure.Picture, error) {
	d, err := s.digits(ctx)
	if err != nil {
		return nil, err
	}
	train, shown := inked(d.train), inked(d.clean)
	pixels := mat.NewDense(train.Len(), train.Dim(), train.Raw())
	out := figure.Digits{Width: digitSide, Height: digitSide, White: 0, Black: 2, Rows: []figure.DigitRow{{Name: "image", Images: rowsOf(mat.NewDense(shown.Len(), shown.Dim(), shown.Raw()))}}}
	var counts []int
	for i := range keptLayers {
		counts = append(counts, keptFilters)
		k, err := ckn.New(ckn.Options{Shape: [3]int{digitSide, digitSide, 1}, Layers: keptLayers[:i+1]})
		if err != nil {
			return nil, err
		}
		learned, err := filters.Learn(ctx, k, train, filters.Options{Filters: counts, Patches: 20_000, Seed: s.Seed, Compute: s.Compute})
		if err != nil {
			return nil, err
		}
		f, _, err := krr.Fit(ctx, learned, train, pixels, krr.Options{Lambda: 1e-4, Compute: s.Compute})
		if err != nil {
			return nil, err
		}
		told, err := f.Predict(ctx, shown, s.Compute)
		if err != nil {
			return nil, err
		}
		dim, _ := learned.Features(shown.At(0))
		out.Rows = append(out.Rows, figure.DigitRow{Name: fmt.Sprintf("layer %d: %d", i+1, dim), Images: rowsOf(told)})
	}
	return out, nil
}

// inked returns images whose paper is 0.
func inked(xs data.Vectors) data.Vectors {
	out := make([][]float64, xs.Len())
	for i := range out {
		out[i] = ink(xs.At(i))
	}
	return vectors(out...)
}
