package check

import (
	"fmt"
	"strconv"
	"strings"

	"example.org/mercer/kernel"
)

// String renders the report as plain text of several lines.
func (r *Report) String() string {
	var b strings.Builder
	field := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-11s %s\n", name, fmt.Sprintf(format, args...))
	}
	field("kernel", "%s", shortened(r.Kernel))
	if r.Dim == 1 {
		field("domain", "%s", r.Domain)
	} else {
		field("domain", "%s, %d coordinates", r.Domain, r.Dim)
	}
	field("verdict", "%s", r.headline())
	if r.Contradiction {
		field("", "%s", "INTERNAL CONTRADICTION: there is also a proof, below. One of the two is wrong; please report it.")
	}
	if r.Witness != nil {
		b.WriteString(r.Witness.text(r.Failed))
	}
	field("derivation", "%s", derivation(r.Derivation, "  "))
	field("tried", "%d Gram matrices, %d evaluations, %d exact ones; smallest scaled eigenvalue %.3g%s",
		r.Tried.Sets, r.Tried.Evaluations, r.Tried.Exact, r.Tried.Smallest, unconfirmed(r.Tried.Unconfirmed))
	for _, n := range r.Notes {
		field("note", "%s", n)
	}
	return b.String()
}

func (r *Report) headline() string {
	switch r.Verdict {
	case NotAKernel:
		return fmt.Sprintf("NOT a positive definite kernel: fails the test of %s, certified with %d bits", r.Failed, r.Witness.Bits)
	case NumericalEvidence:
		return fmt.Sprintf("numerical evidence against: fails the test of %s beyond the float64 error bound", r.Failed)
	}
	switch r.Derivation.Verdict {
	case kernel.Definite:
		return "positive definite: proved by its form, and no counter-example found"
	case kernel.Indefinite:
		return "not positive definite by its form, though no counter-example was found here"
	}
	return "no counter-example found, and no proof"
}

// text renders the counter-example.
func (w *Witness) text(failed string) string {
	var b strings.Builder
	for i, p := range w.Points {
		fmt.Fprintf(&b, "  x%d = %s", i+1, pointText(p))
		if w.Rows != nil {
			fmt.Fprintf(&b, " (row %d)", w.Rows[i])
		}
		if w.Coefficients != nil {
			fmt.Fprintf(&b, "   a%d = %s", i+1, short(w.Coefficients[i]))
		}
		b.WriteByte('\n')
	}
	value, relation := short(w.Value), "aᵀKa"
	if w.Exact != "" {
		value = w.Exact
		if _, fraction, ok := strings.Cut(value, "."); ok && len(fraction) > 40 {
			value = fmt.Sprintf("%.17g…", w.Value)
		}
	}
	switch failed {
	case Symmetry:
		fmt.Fprintf(&b, "  k(x1, x2) = %s, k(x2, x1) = %s, difference %s\n", short(w.Gram[0][1]), short(w.Gram[1][0]), value)
		return b.String()
	case Diagonal:
		relation = "k(x1, x1)"
		if w.Coefficients[0] != 1 {
			relation = "aᵀKa"
		}
	case CauchySchwarz:
		k := w.Gram
		fmt.Fprintf(&b, "  k(x1, x2)² = %.6g > k(x1, x1)·k(x2, x2) = %.6g\n", k[0][1]*k[0][1], k[0][0]*k[1][1])
	}
	fmt.Fprintf(&b, "  %s = %s < 0\n", relation, value)
	return b.String()
}

// pointText writes a number, or the list of coordinates.
func pointText(p []float64) string {
	if len(p) == 1 {
		return short(p[0])
	}
	texts := make([]string, len(p))
	for i, v := range p {
		texts[i] = short(v)
	}
	return "(" + strings.Join(texts, ", ") + ")"
}

// short writes a float64 so that it reads back exactly.
func short(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// mostText is the number of bytes of a kernel, and mostParts of the parts of one, that people read.
const (
	mostText  = 1000
	mostParts = 24
)

// shortened is the text of a kernel without its end, where it is long.
func shortened(text string) string {
	if len(text) <= mostText {
		return text
	}
	return strings.ToValidUTF8(text[:mostText], "") + "…"
}

// derivation writes the proof tree, its parts indented, the first of many.
func derivation(d kernel.Derivation, indent string) string {
	var b strings.Builder
	writeDerivation(&b, d, indent)
	return b.String()
}

func writeDerivation(b *strings.Builder, d kernel.Derivation, indent string) {
	fmt.Fprintf(b, "%s: %s; %s", shortened(d.Kernel), d.Verdict, shortened(d.Reason))
	for i, part := range d.From {
		b.WriteString("\n" + indent)
		if i == mostParts {
			fmt.Fprintf(b, "… and %d more, which are all in --json", len(d.From)-i)
			return
		}
		writeDerivation(b, part, indent+"  ")
	}
}

func unconfirmed(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; on %d more it was negative by rounding only", n)
}
