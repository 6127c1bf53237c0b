package compute

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// rates are no multiples of each other, so that none can stand for another.
func rates() Machine {
	return Machine{Workers: 3, GemmRate: 1e10, SingleGemmRate: 2.5e10, CopyRate: 3e9, ReadRate: 1.25e10, Cholesky: Rate{2e10, 70}, Eigen: Rate{5e9, 300}}
}

// TestRatesAreKept: another process reads what one has measured, for a day.
func TestRatesAreKept(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "made", "when needed")
	if _, ok := keptRates(folder, 3, time.Now()); ok {
		t.Error("a folder that is not there has rates")
	}
	if err := keepRates(t.Context(), folder, rates()); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	if m, ok := keptRates(folder, 3, now); !ok || m != rates() {
		t.Errorf("read %+v, %v", m, ok)
	}
	for name, when := range map[string]time.Time{"two days later": now.Add(48 * time.Hour), "two days before they were measured": now.Add(-48 * time.Hour)} {
		if _, ok := keptRates(folder, 3, when); ok {
			t.Errorf("rates are believed %s", name)
		}
	}
	for share, after := range map[float64]time.Duration{0.5: time.Minute, idle: keptFor, 1: keptFor} {
		m := rates()
		m.Share = share
		if err := keepRates(t.Context(), folder, m); err != nil {
			t.Fatal(err)
		}
		now := time.Now()
		_, before := keptRates(folder, 3, now.Add(after-10*time.Second))
		if _, later := keptRates(folder, 3, now.Add(after+10*time.Second)); !before || later {
			t.Errorf("a share of %v of the processors: believed just before %s: %v, just after: %v", share, after, before, later)
		}
	}
	if _, ok := keptRates(folder, 4, now); ok {
		t.Error("rates of 3 workers are those of 4")
	}
}

// TestDamagedRates are measured again.
func TestDamagedRates(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "no JSON": "rates", "no rates": `{"workers":3}`, "of 4 workers": `{"workers":4}`,
		"negative": `{"workers":3,"gemm_flops_per_second":-1,"bytes_per_second":1,"bytes_read_per_second":1,"single_gemm_flops_per_second":1,"cholesky":{"asymptote":1},"eigen":{"asymptote":1}}`,
	} {
		folder := t.TempDir()
		if err := os.WriteFile(ratesFile(folder, 3), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if m, ok := keptRates(folder, 3, time.Now()); ok {
			t.Errorf("%s: read %+v", name, m)
		}
	}
}

// TestCalibrateKeepsRates: what is kept is not measured again, and what is measured is kept.
func TestCalibrateKeepsRates(t *testing.T) {
	folder := t.TempDir()
	KeepRates(folder)
	t.Cleanup(func() { KeepRates("") })
	want := rates()
	want.Workers = 31 // no other test calibrates for so many
	if err := keepRates(t.Context(), folder, want); err != nil {
		t.Fatal(err)
	}
	m, err := Calibrate(t.Context(), Options{Workers: 31})
	if err != nil {
		t.Fatal(err)
	}
	if m.Memory, m.Resident = 0, 0; m != want { // read afresh
		t.Errorf("calibrated %+v, kept was %+v", m, want)
	}
	if testing.Short() {
		return // measuring takes 0.4 s
	}
	if m, err = Calibrate(t.Context(), Options{Workers: 6}); err != nil {
		t.Fatal(err)
	}
	m.Memory, m.Resident = 0, 0
	if again, ok := keptRates(folder, 6, time.Now()); !ok || again != m {
		t.Errorf("measured %+v, and kept %+v, %v", m, again, ok)
	}
}
