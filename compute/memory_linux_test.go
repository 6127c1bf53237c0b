package compute

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"example.org/mercer/internal/testkit"
)

func TestResidentMemoryIsWhatWasTouched(t *testing.T) {
	testkit.SkipUnderRace(t)
	const size = 64 << 20
	fresh := make([]float64, size/8)
	touch(fresh)
	resident := ResidentMemory()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	runtime.KeepAlive(fresh)
	// Beside what the runtime has from the system there is the code, some megabytes.
	if most := int64(stats.Sys) + 64<<20; resident < size || resident > most {
		t.Errorf("resident are %s while %s were just touched and the runtime has %s", FormatBytes(resident), FormatBytes(size), FormatBytes(int64(stats.Sys)))
	}
	if all := physicalMemory(); all < resident {
		t.Errorf("the machine has %s, less than the %s held", FormatBytes(all), FormatBytes(resident))
	}
}

func TestProcField(t *testing.T) {
	path := filepath.Join(t.TempDir(), "status")
	if err := os.WriteFile(path, []byte("Name:\tx\nVmPeak:\t 99 kB\nVmRSS:\t    12 kB\nVmBad:\t many kB\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int64{"VmRSS:": 12288, "VmPeak:": 99 << 10, "VmBad:": 0, "VmNone:": 0, "Name:": 0} {
		if got := procField(path, name); got != want {
			t.Errorf("%s is %d bytes, want %d", name, got, want)
		}
	}
	if got := procField(path+".absent", "VmRSS:"); got != 0 {
		t.Errorf("an absent file says %d bytes", got)
	}
}
