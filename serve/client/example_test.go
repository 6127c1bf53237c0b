package client_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"example.org/mercer/serve/client"
)

// A price is asked of a server, which here always says the same.
func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"model":"house","version":"1","columns":["row","price"],"rows":[{"row":1,"price":304.5}]}`)
	}))
	defer server.Close()
	c, err := client.New(server.URL, client.Options{})
	if err != nil {
		panic(err)
	}
	found, err := c.Predict(context.Background(), "house", []client.Row{{"size": 80, "rooms": 3, "place": "town"}}, client.Ask{})
	if err != nil {
		panic(err)
	}
	prices, err := found.Numbers("price")
	if err != nil {
		panic(err)
	}
	fmt.Println(prices)
	// Output: [304.5]
}
