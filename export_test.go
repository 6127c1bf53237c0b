package mercer

import (
	"testing"

	"example.org/mercer/model"
)

// SwapSelfTest gives m the self-test rows of another model.
func SwapSelfTest(m, other *Model) {
	m.selfTest = other.selfTest
}

// Unpack returns the parts of a model file, and Pack the bytes of changed parts with
// a true checksum.
func Unpack(t testing.TB, path string) (map[string]model.Tensor, map[string]string) {
	t.Helper()
	file, err := model.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	tensors := map[string]model.Tensor{}
	for _, name := range file.Names() {
		if tensors[name], err = file.Tensor(name); err != nil {
			t.Fatal(err)
		}
	}
	return tensors, map[string]string{metadataKey: file.Metadata()[metadataKey], model.KeyVersion: model.Version}
}

func Pack(t testing.TB, tensors map[string]model.Tensor, metadata map[string]string) []byte {
	t.Helper()
	raw, err := model.Encode(tensors, metadata)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}
