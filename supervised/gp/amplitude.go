package gp

import "example.org/mercer/kernel"

// Amplify multiplies a kernel by a factor, the variance of the process; 0 is 1.
func Amplify[T any](k kernel.Kernel[T], factor float64) kernel.Kernel[T] {
	if factor == 0 || factor == 1 {
		return k
	}
	if s, ok := k.(kernel.Scaled[T]); ok {
		s.Factor *= factor
		return s
	}
	return kernel.Scaled[T]{Factor: factor, Of: k}
}

// EnsureAmplitude gives a kernel a factor unless it, or a term of its sum, has one.
func EnsureAmplitude[T any](k kernel.Kernel[T], factor float64) kernel.Kernel[T] {
	terms := []kernel.Kernel[T]{k}
	if sum, ok := k.(kernel.Sum[T]); ok {
		terms = sum.Parts()
	}
	for _, term := range terms {
		if _, ok := term.(kernel.Scaled[T]); ok {
			return k
		}
	}
	if factor > 0 {
		return kernel.Scaled[T]{Factor: factor, Of: k}
	}
	return k
}
