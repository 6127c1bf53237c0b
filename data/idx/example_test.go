package idx_test

import (
	"context"
	"fmt"
	"strings"

	"example.org/mercer/data/idx"
)

// Two images of 1 × 2 pixels, and their labels.
func Example() {
	ctx := context.Background()
	images, err := idx.Read(ctx, "images", strings.NewReader("\x00\x00\x08\x03\x00\x00\x00\x02\x00\x00\x00\x01\x00\x00\x00\x02\x00\x80\xff\x40"), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	labels, err := idx.Read(ctx, "labels", strings.NewReader("\x00\x00\x08\x01\x00\x00\x00\x02\x07\x02"), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := idx.Join(images, labels); err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range images.Columns {
		fmt.Println(c.Name, c.Numbers)
	}
	// Output:
	// label [7 2]
	// p1 [0 255]
	// p2 [128 64]
}
