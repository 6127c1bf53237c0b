// Package bessel computes modified Bessel functions of the second kind, K_ν, as far as the Matérn
// kernels need them: small orders by Temme's series and Steed's continued fraction, larger ones by
// recurrence in the order, and large ones by Debye's expansion.
package bessel
