package learner

// What the tests of folds compare.
var (
	FunctionOnly = aloneIn
	InFeatures   = Calibrated.inFeatures
	Splits       = Calibrated.splits
	HeldInMatrix = Calibrated.heldInMatrix
	HeldOut      = Calibrated.heldOut
)
