package gallery

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/supervised/krr"
)

var ridgeFigures = []Figure{
	{Name: "krr", Title: "Kernel ridge regression for λ = 100 … 10⁻⁷", Formula: "min (1/n) Σ (yᵢ − f(xᵢ))² + λ‖f‖²,  α = (K + λnI)⁻¹ y", Takes: Curve,
		draw:     drawRidge,
		Commands: []string{"mercer path table.csv --target y --kernel 'rbf(sigma=median)' --lambda-range 1e-7,100 --count 10 --no-intercept --plot krr.png"},
		See:      "A large λ keeps f near 0, a small one lets it follow the noise of every point. In between lies the wave, where the leave-one-out error is least."},
}

// lambdas are those of the lecture.
var lambdas = []float64{100, 10, 1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7}

func drawRidge(ctx context.Context, s *figureContext) (figure.Picture, error) {
	p := s.points(wave)
	k, err := s.gaussian(ctx, p, 0.35)
	if err != nil {
		return nil, err
	}
	lo, hi := slices.Min(p.X.Raw()), slices.Max(p.X.Raw())
	low, high := slices.Min(p.Y), slices.Max(p.Y)
	room := 0.15 * (high - low)
	at := linspace(lo, hi, 300)
	sheet := figure.Sheet{Columns: 4, Width: 6.6, Height: 5.6, Small: true}
	add := func(title string, layers ...figure.Layer) {
		layers = append([]figure.Layer{figure.Dots{Name: "data", X: p.X.Raw(), Y: p.Y, Ink: figure.Grey, Size: 1.8}}, layers...)
		sheet.Panels = append(sheet.Panels, figure.Panel{Title: title, X: p.Names[0], Y: p.Target, Layers: layers,
			Bounds: &figure.Bounds{X0: lo, X1: hi, Y0: low - room, Y1: high + room}})
	}
	add("data")
	var train, out []float64
	for _, lambda := range lambdas {
		f, report, err := krr.Fit(ctx, vec.Kernel(k), p.X, mat.NewDense(len(p.Y), 1, p.Y), krr.Options{Lambda: lambda, NoIntercept: true, LOO: true, Compute: s.Compute})
		if err != nil {
			return nil, err
		}
		values, err := s.evaluate(ctx, f, at)
		if err != nil {
			return nil, err
		}
		train, out = append(train, report.Point.Train.RMSE[0]), append(out, report.Point.LOO.RMSE[0])
		add(fmt.Sprintf("λ = %g", lambda), figure.Line{Name: "f", X: at, Y: values, Ink: 1})
	}
	sheet.Panels = append(sheet.Panels, figure.Panel{Title: "error left out; dashed: training", X: "λ", LogX: true, Layers: []figure.Layer{
		figure.Line{X: lambdas, Y: train, Ink: 0, Dashed: true}, figure.Line{X: lambdas, Y: out, Ink: 0}}})
	return sheet, nil
}
