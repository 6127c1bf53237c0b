package lab_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/lab"
)

// graphOf is a graph of nodes C with edges, counted from 0.
func graphOf(nodes int, edges ...[2]int) object {
	labels := make([]string, nodes)
	for i := range labels {
		labels[i] = "C"
	}
	return object{"labels": labels, "edges": edges}
}

// TestGraphs: a ring of six and two triangles have the same colours in every round, and a path of
// three and a triangle do not. Of these round 0 adds 3·3, and round 1 the middle of the path times
// the three nodes with two neighbours.
func TestGraphs(t *testing.T) {
	var a struct {
		Value, Cosine float64
		Rounds        []struct {
			A, B    []int
			Adds    int
			Colours []struct{ InA, InB int }
		}
		Says string
	}
	ring := graphOf(6, [2]int{0, 1}, [2]int{1, 2}, [2]int{2, 3}, [2]int{3, 4}, [2]int{4, 5}, [2]int{5, 0})
	triangles := graphOf(6, [2]int{0, 1}, [2]int{1, 2}, [2]int{2, 0}, [2]int{3, 4}, [2]int{4, 5}, [2]int{5, 3})
	ask(t, "graphs", object{"a": ring, "b": triangles, "rounds": 4}, &a)
	if a.Value != 5*36 || math.Abs(a.Cosine-1) > 1e-12 || len(a.Rounds) != 5 || !strings.Contains(a.Says, "nothing tells the graphs apart") {
		t.Errorf("ring and triangles: %+v", a)
	}
	path, triangle := graphOf(3, [2]int{0, 1}, [2]int{1, 2}), graphOf(3, [2]int{0, 1}, [2]int{1, 2}, [2]int{2, 0})
	ask(t, "graphs", object{"a": path, "b": triangle, "rounds": 2}, &a)
	if a.Value != 9+3 || a.Rounds[1].Adds != 3 || a.Rounds[2].Adds != 0 || fmt.Sprint(a.Rounds[1].A, a.Rounds[1].B) != "[0 1 0] [1 1 1]" {
		t.Errorf("path and triangle: %+v", a)
	}
	refused(t, "graphs", object{"a": graphOf(2, [2]int{0, 2}), "b": path, "rounds": 1}, "ends at node 3, and there are 2")
	refused(t, "graphs", object{"a": graphOf(0), "b": path, "rounds": 1}, "has 0 nodes")
	refused(t, "graphs", object{"a": path, "b": path, "rounds": 11}, "0 to 10")
}

// refused wants an error of the request.
func refused(t *testing.T, screen string, request any, want string) {
	t.Helper()
	text, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	_, err = lab.Call(t.Context(), screen, text, compute.Options{})
	if invalid := (*lab.Invalid)(nil); !errors.As(err, &invalid) || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: error %v, want one with %q", screen, err, want)
	}
}

// TestDenoise: both ways take noise away; without noise and with all components the linear one
// returns what lies in their span, so that its error is small.
func TestDenoise(t *testing.T) {
	type answer struct {
		Side int
		Rows []struct {
			Images [][]float64
			Error  float64
		}
		Off  []float64
		Kept struct{ PCA, KPCA float64 }
	}
	var a answer
	request := object{"train": 200, "noise": 0.8, "components": 40, "width": 1, "method": "distances", "seed": 3}
	ask(t, "denoise", request, &a)
	if len(a.Rows) != 4 || len(a.Rows[3].Images) != 10 || len(a.Rows[3].Images[0]) != a.Side*a.Side || len(a.Off) != 10 {
		t.Fatalf("%d rows of %d images", len(a.Rows), len(a.Rows[0].Images))
	}
	if noisy := a.Rows[1].Error; math.Abs(noisy-0.64) > 0.1 || !(a.Rows[2].Error < noisy/3 && a.Rows[3].Error < noisy/3) || a.Rows[0].Error != 0 {
		t.Errorf("errors %v, %v, %v", noisy, a.Rows[2].Error, a.Rows[3].Error)
	}
	if !(a.Kept.PCA > 0.8 && a.Kept.PCA <= 1 && a.Kept.KPCA > 0.5 && a.Kept.KPCA <= 1) {
		t.Errorf("shares %+v", a.Kept)
	}
	request["method"] = "fixed-point"
	ask(t, "denoise", request, &a)
	if !(a.Rows[3].Error < a.Rows[1].Error/3) {
		t.Errorf("by the fixed point: %v", a.Rows[3].Error)
	}
	request["components"] = 200
	refused(t, "denoise", request, "fewer components")
	request["components"], request["method"] = 5, "magic"
	refused(t, "denoise", request, "distances and fixed-point")
}

// TestDeep: the network brings the points of a label together, and the fields have the side that is
// asked for.
func TestDeep(t *testing.T) {
	points, labels := cloud(60)
	var a struct {
		Plain, Deep   []float64
		Before, After [][]float64
		Errors        []float64
		Best          int
	}
	request := object{"points": points, "labels": labels, "sigma": 1, "hidden": 8, "steps": 15, "seed": 1, "box": square}
	ask(t, "deep", request, &a)
	if len(a.Deep) != len(a.Plain) || len(a.Before) != 2 || len(a.After[1]) != 60 || a.Best >= len(a.Errors) || !(a.Errors[a.Best] <= a.Errors[0]) {
		t.Errorf("%d, %d values; errors %v, best %d", len(a.Deep), len(a.Plain), a.Errors, a.Best)
	}
	request["hidden"] = 0
	refused(t, "deep", request, "0 units")
	few, two := cloud(10)
	refused(t, "deep", object{"points": few, "labels": two, "sigma": 1, "hidden": 3, "steps": 3, "box": square}, "from 20 to")
}

// TestTable: first the plan alone, then errors of each row without it; labels are counted.
func TestTable(t *testing.T) {
	names, cells := []string{"x", "kind", "y"}, make([][]string, 3)
	for i := range 60 {
		x := float64(i) / 10
		cells[0], cells[1] = append(cells[0], fmt.Sprint(x)), append(cells[1], []string{"a", "b"}[i%2])
		cells[2] = append(cells[2], fmt.Sprintf("%.4f", math.Sin(x)+float64(i%2)))
	}
	cells[0][7] = ""
	type answer struct {
		Rows, Features int
		Prepared       string
		Memory         int64
		Fit            *struct {
			Lambda, RMSE, R2 float64
			Target           []float64
			Left_out         []float64
			Labels           []string
			Told             [][]int
		}
	}
	var plan, fit answer
	request := object{"names": names, "cells": cells, "target": "y", "kernel": "rbf(sigma=median)", "fit": false}
	ask(t, "table", request, &plan)
	if plan.Fit != nil || plan.Rows != 60 || plan.Features != 3 || plan.Memory <= 0 || !strings.Contains(plan.Prepared, "one-hot kind") {
		t.Errorf("plan: %+v", plan)
	}
	request["fit"] = true
	ask(t, "table", request, &fit)
	if fit.Fit == nil || len(fit.Fit.Target) != 60 || !(fit.Fit.R2 > 0.9) || !(fit.Fit.RMSE > 0) {
		t.Fatalf("fit: %+v", fit.Fit)
	}
	sum := 0.0
	for i, y := range fit.Fit.Target {
		sum += (y - fit.Fit.Left_out[i]) * (y - fit.Fit.Left_out[i]) / 60
	}
	if math.Abs(math.Sqrt(sum)-fit.Fit.RMSE) > 1e-5*fit.Fit.RMSE { // seven digits are sent
		t.Errorf("error %v, and that of the rows is %v", fit.Fit.RMSE, math.Sqrt(sum))
	}
	request["target"] = "kind"
	var told answer
	ask(t, "table", request, &told)
	if told.Fit == nil || fmt.Sprint(told.Fit.Labels) != "[a b]" || told.Fit.Told[0][0]+told.Fit.Told[0][1] != 30 {
		t.Errorf("labels: %+v", told.Fit)
	}
	request["kernel"] = `gram(file="/etc/passwd")`
	refused(t, "table", request, "gram")
	request["kernel"], request["target"] = "linear", "z"
	refused(t, "table", request, `"z"`)
	refused(t, "table", object{"names": []string{"a"}, "cells": [][]string{{"1"}}, "target": "a", "kernel": "linear"}, "at least two")
	refused(t, "table", object{"names": []string{"a", "b"}, "cells": [][]string{{"1", "2"}, {"1"}}, "target": "a", "kernel": "linear"}, "equally long")
}

// TestBoundaries: a second kernel answers beside the first, as it does alone.
func TestBoundaries(t *testing.T) {
	points, labels := cloud(40)
	var both struct {
		Field []float64
		Other *struct{ Field []float64 }
	}
	var alone struct{ Field []float64 }
	request := object{"method": "klr", "points": points, "labels": labels, "kernel": "rbf(sigma=1)", "other": "linear", "lambda": 1e-2, "box": square}
	ask(t, "boundary", request, &both)
	request["kernel"], request["other"] = "linear", ""
	ask(t, "boundary", request, &alone)
	if both.Other == nil || fmt.Sprint(both.Other.Field) != fmt.Sprint(alone.Field) || fmt.Sprint(both.Field) == fmt.Sprint(alone.Field) {
		t.Error("the second kernel does not answer as it does alone")
	}
}

// TestCursor: with all components of few points the projection of one of them is its image, so that
// the pre-image is the point itself; a point far from all has one that is nearer to them.
func TestCursor(t *testing.T) {
	xy, _ := cloud(12)
	var a struct {
		Image []float64
		Off   float64
	}
	request := object{"points": xy, "kernel": "rbf(sigma=1)", "components": 8, "box": square, "at": xy[3]}
	ask(t, "components", request, &a)
	if math.Hypot(a.Image[0]-xy[3][0], a.Image[1]-xy[3][1]) > 0.05 || !(a.Off < 0.1) {
		t.Errorf("the pre-image of %v is %v, off by %v", xy[3], a.Image, a.Off)
	}
	request["at"] = []float64{2, 2}
	ask(t, "components", request, &a)
	if len(a.Image) != 2 || !(a.Off > 0) {
		t.Errorf("of a point aside: %v, off by %v", a.Image, a.Off)
	}
	request["at"] = []float64{1}
	refused(t, "components", request, "coordinates")
}
