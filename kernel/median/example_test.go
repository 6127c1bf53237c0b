package median_test

import (
	"context"
	"fmt"

	"example.org/mercer/data"
	"example.org/mercer/kernel/median"
	"example.org/mercer/kernel/tile"
)

func Example() {
	xs, err := data.Pack([][]float64{{0, 0}, {3, 4}, {6, 8}})
	if err != nil {
		fmt.Println(err)
		return
	}
	v, err := median.Distance(context.Background(), tile.Statistic{Kind: tile.SquaredDistance}, xs)
	fmt.Println(v, err)
	// Output: 5 <nil>
}
