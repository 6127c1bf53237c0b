package gradients_test

import (
	"math/rand/v2"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/kernel/vec"
)

func cloud(rng *rand.Rand, n, d int) data.Vectors {
	xs := data.MakeVectors(n, d)
	for i := range xs.Raw() {
		xs.Raw()[i] = rng.NormFloat64()
	}
	return xs
}

func parse(t testing.TB, text string) vec.Kernel {
	t.Helper()
	k, err := vec.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return k
}
