package oip_test

import (
	"fmt"

	"example.org/mercer/data/prep"
	"example.org/mercer/serve/oip"
)

// One tensor of two rows becomes the columns of a model.
func ExampleRead() {
	r, err := oip.Read([]byte(`{"inputs":[{"name":"input","shape":[2,2],"datatype":"FP32","data":[[1,2],[3,null]]}]}`), -1)
	if err != nil {
		panic(err)
	}
	t, err := r.Table([]prep.Input{{Name: "size"}, {Name: "rooms"}}, "")
	if err != nil {
		panic(err)
	}
	fmt.Println(t.Columns[0].Name, t.Columns[0].Numbers)
	fmt.Println(t.Columns[1].Name, t.Columns[1].Numbers, t.Columns[1].Missing)
	// Output:
	// size [1 3]
	// rooms [2 NaN] [false true]
}
