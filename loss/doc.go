// Package loss holds loss functions ℓ(y, f) of a target y and a value f as values:
// what a user's own loss must provide is [Loss], and what a solver can do better with
// is in the other interfaces. Regression losses are functions of the residual y − f;
// margin losses, with y = ±1, of the margin yf.
package loss
