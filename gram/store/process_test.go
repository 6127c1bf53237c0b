package store

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/internal/mapfile"
)

// fillFolder in the environment makes the test binary compute a matrix with the store
// in the folder it names.
const fillFolder = "MERCER_TEST_FILL_FOLDER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(fillFolder); dir != "" {
		if err := fillMatrix(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// processPoints are as many as fill five packs of a mebibyte.
const processPoints = 1000

// fillMatrix computes a matrix, in small packs, and prints its hash.
func fillMatrix(dir string) error {
	s, err := Open(Options{Dir: dir})
	if err != nil {
		return err
	}
	s.packBytes = 1 << 20
	fmt.Println("began")
	k, err := gram.Dense(context.Background(), rbf(20, points(processPoints)), compute.Options{Workers: 2, Store: s})
	if err != nil {
		return err
	}
	if err := s.Close(); err != nil {
		return err
	}
	fmt.Printf("%x %d\n", hash(k), s.Stats().Hits)
	return nil
}

// hash is that of the upper triangle of a matrix.
func hash(k *mat.SymDense) []byte {
	sum, raw := sha256.New(), k.RawSymmetric()
	for i := range raw.N {
		sum.Write(mapfile.Bytes(raw.Data[i*raw.Stride+i : i*raw.Stride+raw.N]))
	}
	return sum.Sum(nil)
}

// process starts this binary to fill a folder.
func process(t *testing.T, dir string) (*exec.Cmd, *strings.Builder) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd, out := exec.Command(self), new(strings.Builder)
	cmd.Env = append(os.Environ(), fillFolder+"="+dir)
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, out
}

// result waits for a process and returns the hash it prints, and the tiles it read.
func result(t *testing.T, cmd *exec.Cmd, out *strings.Builder) (hash string, hits int) {
	t.Helper()
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if _, err := fmt.Sscanf(out.String(), "began\n%s %d", &hash, &hits); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return hash, hits
}

// TestTwoProcesses share a folder from the beginning, and a third finds all they left.
func TestTwoProcesses(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	dir := t.TempDir()
	want := fmt.Sprintf("%x", hash(dense(t, rbf(20, points(processPoints)), nil, 2)))
	a, outA := process(t, dir)
	b, outB := process(t, dir)
	hashA, _ := result(t, a, outA)
	hashB, _ := result(t, b, outB)
	c, outC := process(t, dir)
	hashC, hits := result(t, c, outC)
	if hashA != want || hashB != want || hashC != want {
		t.Errorf("hashes %s, %s, %s, want %s", hashA, hashB, hashC, want)
	}
	if side := (processPoints + 127) / 128; hits != side*(side+1)/2 {
		t.Errorf("the third process read %d tiles, want all %d", hits, side*(side+1)/2)
	}
}

// killAt kills a process that writes to a folder, when the folder has so many packs and a part of
// the next; or lets it end.
func killAt(cmd *exec.Cmd, dir string, packs int) {
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	for {
		select {
		case <-ended:
			return
		case <-time.After(100 * time.Microsecond):
			if files, err := os.ReadDir(dir); err == nil && len(files) > packs {
				_ = cmd.Process.Kill()
			}
		}
	}
}

// TestKilled: processes that are killed while they write leave whole packs and at most a
// temporary file each; what they have written is used by the next. Each is killed when it has
// written something, or some packs more.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	dir := t.TempDir()
	want := fmt.Sprintf("%x", hash(dense(t, rbf(20, points(processPoints)), nil, 2)))
	cmd, out := process(t, dir)
	if got, _ := result(t, cmd, out); got != want {
		t.Fatalf("hash %s, want %s", got, want)
	}
	const kills = 5
	for k := range kills {
		if k%3 == 0 { // begin anew from time to time
			for _, f := range packFiles(t, dir) {
				if err := os.Remove(f); err != nil {
					t.Fatal(err)
				}
			}
		}
		cmd, _ := process(t, dir)
		killAt(cmd, dir, len(packFiles(t, dir))+k%3)
		s := open(t, Options{Dir: dir})
		same := fmt.Sprintf("%x", hash(dense(t, rbf(20, points(processPoints)), s, 2)))
		if same != want {
			t.Fatalf("after kill %d: hash %s, want %s", k, same, want)
		}
		if got := s.Stats(); got.Damaged+got.Stale > 0 {
			t.Errorf("after kill %d: %+v tells of damage", k, got)
		}
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if name := f.Name(); filepath.Ext(name) != extension && !strings.Contains(name, extension+".tmp-") {
			t.Errorf("the killed processes left %s", name)
		}
	}
}
