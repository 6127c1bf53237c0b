package formula

import "mercer/kernel"

// Derive returns the proof tree of the formula, where its form allows one.
func (k *Kernel) Derive() kernel.Derivation {
	return kernel.Derivation{Kernel: k.String(), Verdict: kernel.Unknown, Reason: "a formula is taken as written"}
}
