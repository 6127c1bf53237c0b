package kfda

import (
	"errors"
	"fmt"

	"example.org/mercer/linalg"
	"example.org/mercer/model"
)

// Report says how a fit went.
type Report struct {
	N       int `json:"n"`
	Classes int `json:"classes"`
	// Lambda and Ridge = N·Lambda are the same number in the two conventions.
	Lambda float64 `json:"lambda"`
	Ridge  float64 `json:"ridge"`
	// Ratios are the ρ of the directions that were kept, descending: the scatter between
	// the classes along v, because directions are scaled to ⟨v, (S_w + λI)v⟩ = 1.
	Ratios []float64 `json:"ratios"`
	// Norm2 is ‖v‖² in the RKHS, for each direction: 1 − λ‖v‖² is the scatter within
	// the classes along v.
	Norm2 []float64 `json:"norm2"`
	// Decision is the rule that tells classes from values.
	Decision *Decision `json:"decision"`
	// Accuracy is the part of the weight of the training rows that the rule puts into
	// their class.
	Accuracy float64 `json:"accuracy"`

	model.Run
}

// explain says what a failed factorisation means.
func (j *job) explain(err error) error {
	var np *linalg.NotPositiveDefinite
	if !errors.As(err, &np) {
		return err
	}
	return fmt.Errorf("kfda: the system is not positive definite at λ = %g (ridge %g): the kernel is not positive definite on these rows, or λ is below the rounding of its values; give a larger λ: %w", j.report.Lambda, j.report.Ridge, err)
}
