package pb_test

import (
	"fmt"

	"example.org/mercer/serve/oip"
	"example.org/mercer/serve/oip/pb"
)

func ExampleCodec() {
	r := &pb.Infer{Model: pb.Model{Name: "house"}, Request: oip.Request{
		Inputs: []oip.Tensor{{Name: "size", Datatype: oip.FP64, Shape: []int{2}, Numbers: []float64{80, 120}}}}}
	message, err := pb.Codec{}.Marshal(r)
	if err != nil {
		fmt.Println(err)
		return
	}
	var back pb.Infer
	if err := (pb.Codec{}).Unmarshal(message, &back); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(message), "bytes:", back.Name, back.Inputs[0].Name, back.Inputs[0].Numbers)
	// Output: 44 bytes: house size [80 120]
}
