package moments

import (
	"errors"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// Sums of limbs are the limbs of sums, of integers of either sign, as far as these have 128 bits.
func TestLimbs(t *testing.T) {
	number := func(a wide) *big.Int {
		v := new(big.Int).Lsh(big.NewInt(a.high), 64)
		return v.Add(v, new(big.Int).SetUint64(a.low))
	}
	least := new(big.Int).Lsh(big.NewInt(-1), 127)
	rapid.Check(t, func(t *rapid.T) {
		total, sums := new(big.Int), make([]float64, limbs)
		for range rapid.IntRange(1, 40).Draw(t, "count") {
			a := wide{rapid.Int64().Draw(t, "high"), rapid.Uint64().Draw(t, "low")}
			total.Add(total, number(a))
			for k, v := range a.appendTo(nil) {
				sums[k] += v
			}
		}
		fits := total.Cmp(least) >= 0 && new(big.Int).Neg(total).Cmp(least) > 0
		got, err := joined(sums)
		if fits && (err != nil || number(got).Cmp(total) != 0) {
			t.Errorf("%v becomes %v: %v", total, number(got), err)
		}
		if !fits && !errors.Is(err, errFull) {
			t.Errorf("%v has more than 128 bits: %v", total, err)
		}
	})
}
