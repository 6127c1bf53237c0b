package pb_test

import (
	"encoding/hex"
	"math"
	"reflect"
	"testing"

	"example.org/mercer/serve/oip"
	"example.org/mercer/serve/oip/pb"
)

// TestBytes reads a request that protobuf for Python 6 wrote of the messages of the protocol, with
// every kind of list, and compares.
func TestBytes(t *testing.T) {
	message, err := hex.DecodeString(recorded)
	if err != nil {
		t.Fatal(err)
	}
	var r pb.Infer
	if err := (pb.Codec{}).Unmarshal(message, &r); err != nil {
		t.Fatal(err)
	}
	want := pb.Infer{Model: pb.Model{Name: "m", Version: "2"}, Request: oip.Request{ID: "q", Interval: 0.9, Outputs: []oip.Wanted{{Name: "label"}}, Inputs: []oip.Tensor{
		{Name: "a", Datatype: oip.Bool, Shape: []int{2}, Numbers: []float64{1, 0}},
		{Name: "b", Datatype: oip.Int32, Shape: []int{2}, Numbers: []float64{-3, 7}},
		{Name: "c", Datatype: oip.Int64, Shape: []int{1, 2}, Numbers: []float64{-1 << 40, 5}},
		{Name: "d", Datatype: oip.Uint32, Shape: []int{1}, Numbers: []float64{1<<32 - 1}},
		{Name: "e", Datatype: oip.Uint64, Shape: []int{1}, Numbers: []float64{1 << 63}},
		{Name: "f", Datatype: oip.FP32, Shape: []int{2}, Numbers: []float64{1.5, -0.25}},
		{Name: "g", Datatype: oip.FP64, Shape: []int{2}, Numbers: []float64{math.Pi, -1e-300}},
		{Name: "h", Datatype: oip.Bytes, Shape: []int{2}, Strings: []string{"town", ""}},
	}}}
	if !reflect.DeepEqual(r, want) {
		t.Errorf("got  %+v\nwant %+v", r, want)
	}
}

// TestRoundTrip: what is written is read.
func TestRoundTrip(t *testing.T) {
	for _, raw := range []bool{false, true} {
		r := &pb.Infer{Model: pb.Model{Name: "m"}, Raw: raw, Request: oip.Request{ID: "q", Sets: 0.5, Outputs: []oip.Wanted{{Name: "x"}}, Inputs: []oip.Tensor{
			{Name: "a", Datatype: oip.FP64, Shape: []int{1, 2}, Numbers: []float64{-0.1, math.MaxFloat64}},
			{Name: "b", Datatype: oip.Bytes, Shape: []int{1}, Strings: []string{"ä"}},
			{Name: "c", Datatype: oip.Int64, Shape: []int{1}, Numbers: []float64{-5}}}}}
		trip(t, r, new(pb.Infer))
		a := &pb.Answer{Raw: raw, Answer: oip.Answer{Model: "m", Version: "1", ID: "q", Outputs: []oip.Output{
			{Name: "value", Datatype: oip.FP64, Shape: []int{2, 1}, Numbers: []float64{1, 2}},
			{Name: "cluster", Datatype: oip.Int64, Shape: []int{2}, Numbers: []float64{1, 2}},
			{Name: "label", Datatype: oip.Bytes, Shape: []int{2}, Strings: []string{"", "b"}}}}}
		trip(t, a, new(pb.Answer))
	}
	trip(t, &pb.Server{Name: "mercer", Version: "1", Extensions: []string{"a", "b"}}, new(pb.Server))
	trip(t, &pb.Metadata{Metadata: oip.Metadata{Name: "m", Versions: []string{"1"}, Platform: "p", Inputs: []oip.Described{{Name: "x", Datatype: oip.FP64, Shape: []int{-1, 3}}}, Outputs: []oip.Described{{Name: "y", Datatype: oip.Bytes, Shape: []int{-1}}}}}, new(pb.Metadata))
	trip(t, &pb.Index{Models: []pb.State{{Name: "a", Version: "1", State: "READY"}, {Name: "b", State: "UNAVAILABLE", Reason: "why"}}}, new(pb.Index))
	trip(t, &pb.InRepository{Name: "m"}, new(pb.InRepository))
	trip(t, &pb.Flag{Value: true}, new(pb.Flag))
	trip(t, &pb.Empty{}, new(pb.Empty))
}

func trip(t *testing.T, from, to any) {
	t.Helper()
	message, err := pb.Codec{}.Marshal(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := (pb.Codec{}).Unmarshal(message, to); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(from, to) {
		t.Errorf("got  %+v\nwant %+v", to, from)
	}
}

// FuzzInfer: any message is a request or an error, and a request has the values that its shapes
// say.
func FuzzInfer(f *testing.F) {
	message, err := hex.DecodeString(recorded)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(message)
	f.Fuzz(func(t *testing.T, message []byte) {
		var r pb.Infer
		if err := (pb.Codec{}).Unmarshal(message, &r); err != nil {
			return
		}
		for _, in := range r.Inputs {
			n := 1
			for _, s := range in.Shape {
				n *= s
			}
			if n != len(in.Numbers)+len(in.Strings) {
				t.Errorf("shape %v with %d numbers and %d strings", in.Shape, len(in.Numbers), len(in.Strings))
			}
		}
		var a pb.Answer
		_ = pb.Codec{}.Unmarshal(message, &a)
		var m pb.Metadata
		_ = pb.Codec{}.Unmarshal(message, &m)
	})
}

const recorded = "0a016d1201321a017122150a08696e74657276616c120921cdccccccccccec3f220c0a056f7468657212031a01782a120a01611204424f4f4c1a0102" +
	"2a040a0201002a1c0a01621205494e5433321a01022a0d120bfdffffffffffffffff01072a1d0a01631205494e5436341a0201022a0d1a0b80808080" +
	"80e0ffffff01052a170a0164120655494e5433321a01012a072205ffffffff0f2a1c0a0165120655494e5436341a01012a0c2a0a8080808080808080" +
	"80012a180a01661204465033321a01022a0a32080000c03f000080be2a200a01671204465036341a01022a123a10182d4454fb21094059f3f8c21f6e" +
	"a5812a170a0168120542595445531a01022a084204746f776e420032070a056c6162656c"
