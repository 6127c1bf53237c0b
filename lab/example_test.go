package lab_test

import (
	"context"
	"fmt"

	"example.org/mercer/compute"
	"example.org/mercer/lab"
)

// The words of two letters that two strings share.
func ExampleCall() {
	answer, err := lab.Call(context.Background(), "words", []byte(`{"a": "ABAB", "b": "ABBA", "k": 2}`), compute.Options{})
	fmt.Println(string(answer), err)
	// Output: {"value":3,"cosine":0.7745966692414834,"shared":[{"word":"AB","in_a":2,"in_b":1},{"word":"BA","in_a":1,"in_b":1}],"says":"2 words of 2 letters are in both; the kernel is 3, and the cosine 0.775."} <nil>
}
