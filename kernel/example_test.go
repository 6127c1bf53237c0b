package kernel_test

import (
	"fmt"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
)

// The algebra builds kernels on any type of point, here on strings: the cosine of
// letter counts, plus a kernel on their lengths.
func Example() {
	k := kernel.Sum[string]{Terms: []kernel.Kernel[string]{
		kernel.Normalized[string]{Of: common{}},
		kernel.Scaled[string]{Factor: 0.5, Of: kernel.Composed[string, float64]{
			Of: gauss{sigma: 2}, By: func(x string) float64 { return float64(len(x)) }, Text: "len(x)",
		}},
	}}
	fmt.Println(k)
	fmt.Printf("%.4f\n", k.Eval("anagram", "nag a ram"))

	points := data.Slice[string]{"kernel", "anagram", "nag a ram"}
	tile := kernel.NewTile(2, 2)
	kernel.Bind[string](k, points, points).Tile(tile, 1, 1)
	fmt.Printf("%.4f\n", tile.Data)
	// Output:
	// normalize(of=common) + 0.5*compose(of=gauss(sigma=2), map="len(x)")
	// 1.3033
	// [1.5000 1.3033 1.3033 1.5000]
}

func ExampleDerive() {
	k := kernel.Exp[float64]{Of: kernel.Sum[float64]{Terms: []kernel.Kernel[float64]{dot{}, saddle{1}}}}
	var print func(d kernel.Derivation, indent string)
	print = func(d kernel.Derivation, indent string) {
		fmt.Printf("%s%s: %s\n", indent, d.Kernel, d.Verdict)
		for _, part := range d.From {
			print(part, indent+"  ")
		}
	}
	print(kernel.Derive[float64](k), "")
	// Output:
	// exp(of=dot + saddle): not provably positive definite
	//   dot + saddle: not provably positive definite
	//     dot: positive definite
	//     saddle: not positive definite
}
