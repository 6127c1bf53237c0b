package linalg

import (
	"context"
	"math"
)

// checkpointed computes block column j of a factor, or takes it from the checkpoint.
func checkpointed[F float](ctx context.Context, o Options, t triangle[F], j int, compute func() error) error {
	if o.Step == nil {
		return compute()
	}
	column := t.column(j)
	if double, ok := any(column).([][]float64); ok {
		return o.Step(ctx, "block column", double, compute)
	}
	single := any(column).([][]float32)
	pairs := make([][]float64, len(single))
	for i, s := range single {
		pairs[i] = make([]float64, (len(s)+1)/2)
	}
	err := o.Step(ctx, "block column", pairs, func() error {
		err := compute()
		for i, s := range single {
			inPairs(pairs[i], s)
		}
		return err
	})
	if err == nil {
		for i, s := range single {
			fromPairs(s, pairs[i])
		}
	}
	return err
}

// inPairs stores the bits of numbers in single precision, two in each number of dst.
func inPairs(dst []float64, src []float32) {
	for i := range dst {
		bits := uint64(math.Float32bits(src[2*i]))
		if 2*i+1 < len(src) {
			bits |= uint64(math.Float32bits(src[2*i+1])) << 32
		}
		dst[i] = math.Float64frombits(bits)
	}
}

// fromPairs is the inverse of inPairs.
func fromPairs(dst []float32, src []float64) {
	for i := range dst {
		dst[i] = math.Float32frombits(uint32(math.Float64bits(src[i/2]) >> (32 * (i % 2))))
	}
}
