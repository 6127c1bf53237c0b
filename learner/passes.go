package learner

import (
	"fmt"

	"example.org/mercer/compute"
	"example.org/mercer/task"
)

// passing is a method that learns from rows that stay in their file, a run of them at a time, to
// the same bits as from rows in memory.
type passing interface {
	Learner
	// passes returns why it cannot with these options and this problem, "" if it can.
	WhyNotStreamed(p *task.Task) string
}

// NeedsGram is why a method with a kernel cannot, which in features that stand for it could.
// needsFeatures is that of one which also learns in those that a kernel has itself.
const (
	NeedsGram     = "without landmarks or random features (--landmarks, --random-features) " + hasGram
	needsFeatures = "without landmarks, random features (--landmarks, --random-features) or a kernel of fewer features than rows (linear, poly) " + hasGram
	hasGram       = "has the Gram matrix of all rows, and needs all rows in memory"
)

// checkPasses refuses methods that need all rows in memory, where these are not there.
func checkPasses(p *task.Task, m Learner) error {
	if !p.Streamed() {
		return nil
	}
	why := "needs all rows in memory"
	if method, ok := m.(passing); ok {
		why = method.WhyNotStreamed(p)
	}
	if p.Indefinite != "" {
		why = "needs the Gram matrix of all rows for the treatment of the matrix (--psd)"
	}
	if why == "" {
		return nil
	}
	n, d, _ := p.Dims()
	others := "fit falkon, gp on landmarks, or krr, klr, erm, quantiles, svc, svr, one-class, kfda, barycentre, structured or gpc in features, which make passes"
	if p.Rows.Y == nil {
		others = "take pca, kmeans or gmm, or kpca, kernel-kmeans or spectral in features, which make passes"
	}
	return fmt.Errorf("learner: %s %s, %d × %d numbers of %s, and the table is read in passes: read it at once, with a larger --max-mem and without --out-of-core, or %s", m.Name(), why, n, d, compute.FormatBytes(8*int64(n)*int64(d)), others)
}
