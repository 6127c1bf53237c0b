package serve

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"

	"example.org/mercer/data"
	"example.org/mercer/serve/records"
)

// failure is an error with the status of its answer.
type failure struct {
	status int
	err    error
}

func (f *failure) Error() string { return f.err.Error() }

func (f *failure) Unwrap() error { return f.err }

func refuse(status int, format string, args ...any) error {
	return &failure{status, fmt.Errorf(format, args...)}
}

// bad is an error of what was asked.
func bad(err error) error { return &failure{http.StatusBadRequest, err} }

// statusOf returns the status that an error is answered with. What a model cannot predict is an
// error of the request.
func statusOf(err error) int {
	var f *failure
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &f):
		return f.status
	case errors.As(err, &large), errors.Is(err, records.ErrLarge), errors.Is(err, data.ErrBudget):
		return http.StatusRequestEntityTooLarge
	case errors.Is(err, records.ErrMedia):
		return http.StatusUnsupportedMediaType
	case errors.Is(err, errFull):
		return http.StatusTooManyRequests
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return http.StatusGatewayTimeout
	case errors.Is(err, context.Canceled):
		return statusGone
	}
	return http.StatusBadRequest
}

// statusGone is logged of a client that has gone away.
const statusGone = 499
