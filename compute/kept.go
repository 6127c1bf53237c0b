package compute

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"example.org/mercer/internal/atomicfile"
	"example.org/mercer/internal/simd"
)

// How long rates that were measured are believed: a day, and where other processes had a part of
// the processors meanwhile, a minute.
const (
	keptFor      = 24 * time.Hour
	keptWhenBusy = time.Minute
	// idle is the share of the processors from which no other process counts.
	idle = 0.7
)

// believed is how long the rates of a machine are.
func (m Machine) believed() time.Duration {
	if m.Share > 0 && m.Share < idle {
		return keptWhenBusy
	}
	return keptFor
}

// KeepRates gives [Calibrate] a folder in which it keeps what it measures, for a day and for other
// processes of this machine: a fit of a millisecond need not wait for 0.4 s of measuring. What was
// measured beside other work is believed for a minute. The folder is made when it is needed. Where
// it cannot be written, or what is in it cannot be read, the machine is measured as without one. An
// empty name keeps nothing, which is the default.
func KeepRates(folder string) {
	calibrated.Lock()
	defer calibrated.Unlock()
	calibrated.folder = folder
}

// keptOrMeasured reads the rates of the machine or, where none are kept, measures and keeps them.
func keptOrMeasured(ctx context.Context, folder string, o Options) (Machine, error) {
	if folder == "" {
		return measure(ctx, o)
	}
	if m, ok := keptRates(folder, o.WorkerCount(), time.Now()); ok {
		return m, nil
	}
	m, err := measure(ctx, o)
	if err == nil {
		_ = keepRates(ctx, folder, m) // where it cannot, the next process measures, too
	}
	return m, err
}

// ratesFile names the file of rates by what they depend on: the host, because homes are shared, the
// instructions that this program uses, and the number of workers.
func ratesFile(folder string, workers int) string {
	host, _ := os.Hostname()
	return filepath.Join(folder, fmt.Sprintf("rates-%s-%s-%s-%d.json", filepath.Base(host), runtime.GOARCH, simd.Best(), workers))
}

// keptRates reads rates that were measured before now, while they are believed.
func keptRates(folder string, workers int, now time.Time) (m Machine, ok bool) {
	f, err := os.Open(ratesFile(folder, workers))
	if err != nil {
		return m, false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return m, false
	}
	const enough = 4096 // bytes
	if err := json.NewDecoder(io.LimitReader(f, enough)).Decode(&m); err != nil {
		return m, false
	}
	return m, m.Workers == workers && m.measured() && now.Sub(info.ModTime()).Abs() <= m.believed()
}

// measured reports whether all rates that [Calibrate] measures are positive and finite.
func (m Machine) measured() bool {
	for _, rate := range []float64{m.GemmRate, m.SingleGemmRate, m.CopyRate, m.ReadRate, m.Cholesky.Asymptote, m.Eigen.Asymptote} {
		if !(rate > 0 && !math.IsInf(rate, 1)) {
			return false
		}
	}
	return m.Cholesky.HalfSize >= 0 && m.Eigen.HalfSize >= 0
}

// keepRates writes the rates of a machine.
func keepRates(ctx context.Context, folder string, m Machine) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	return atomicfile.Write(ctx, ratesFile(folder, m.Workers), func(w io.Writer) error { return json.NewEncoder(w).Encode(m) })
}
