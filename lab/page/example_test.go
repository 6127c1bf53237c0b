package page_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"example.org/mercer/compute"
	"example.org/mercer/lab/page"
)

// A question as the page asks it.
func ExampleHandler() {
	server := httptest.NewServer(page.Handler(compute.Options{}))
	defer server.Close()
	answer, err := http.Post(server.URL+"/lab/api/words", "application/json", strings.NewReader(`{"a": "ABAB", "b": "ABBA", "k": 2}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	fmt.Println(string(text[:10]), err)
	// Output: {"value":3 <nil>
}
