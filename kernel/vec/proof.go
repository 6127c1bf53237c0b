package vec

import (
	"fmt"

	"example.org/mercer/kernel"
)

// proof is the derivation of a kernel that is positive definite for the given reason.
func proof(k fmt.Stringer, reason string) kernel.Derivation {
	return kernel.Derivation{Kernel: k.String(), Verdict: kernel.Definite, Reason: reason}
}

// disproof is the derivation of a kernel that is known not to be positive definite.
func disproof(k fmt.Stringer, reason string) kernel.Derivation {
	return kernel.Derivation{Kernel: k.String(), Verdict: kernel.Indefinite, Reason: reason}
}
