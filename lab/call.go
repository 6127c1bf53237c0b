package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"

	"example.org/mercer/compute"
)

// Screen is one kind of question.
type Screen struct {
	Name  string `json:"name"`
	Title string `json:"title"`

	answer func(ctx context.Context, request []byte, o compute.Options) (any, error)
}

// Screens lists all, in the order of the page.
func Screens() []Screen {
	return []Screen{curveScreen, boundaryScreen, gramScreen, workshopScreen, falsifierScreen, componentsScreen, clustersScreen, denoiseScreen, wordsScreen, graphsScreen, deepScreen, tableScreen}
}

const (
	// mostPoints bounds the points of a request, and mostSide the sides of a grid.
	mostPoints, mostSide = 2000, 200
	// mostText bounds the letters of a kernel or a word.
	mostText = 4000
)

// Invalid is an error of a request, and not of what was computed.
type Invalid struct{ Reason string }

func (e *Invalid) Error() string { return "lab: " + e.Reason }

func invalid(format string, a ...any) error { return &Invalid{fmt.Sprintf(format, a...)} }

// Call answers a request in JSON by the screen of a name, in JSON.
func Call(ctx context.Context, name string, request []byte, o compute.Options) ([]byte, error) {
	for _, s := range Screens() {
		if s.Name != name {
			continue
		}
		answer, err := s.answer(ctx, request, o)
		if err != nil {
			return nil, err
		}
		return json.Marshal(answer)
	}
	return nil, invalid("there is no screen %q", name)
}

// screen makes one of a function from requests to answers.
func screen[Q, A any](name, title string, answer func(ctx context.Context, q Q, o compute.Options) (A, error)) Screen {
	return Screen{Name: name, Title: title, answer: func(ctx context.Context, request []byte, o compute.Options) (any, error) {
		var q Q
		d := json.NewDecoder(bytes.NewReader(request))
		d.DisallowUnknownFields()
		if err := d.Decode(&q); err != nil {
			return nil, invalid("the request cannot be read: %v", err)
		}
		if _, err := d.Token(); err != io.EOF {
			return nil, invalid("the request is followed by something else")
		}
		return answer(ctx, q, o)
	}}
}

// Numbers are those of a picture: seven digits, and null for what is no number.
type Numbers []float64

// MarshalJSON writes the numbers.
func (n Numbers) MarshalJSON() ([]byte, error) {
	out := append(make([]byte, 0, 10*len(n)+2), '[')
	for i, v := range n {
		if i > 0 {
			out = append(out, ',')
		}
		if math.IsNaN(v) || math.IsInf(v, 0) {
			out = append(out, "null"...)
		} else {
			out = strconv.AppendFloat(out, v, 'g', 7, 64)
		}
	}
	return append(out, ']'), nil
}
