//go:build js && wasm

// Command mercer-wasm is the engine of the lab in a browser: the page's worker calls
// mercerCall(screen, request), which returns a promise of the answer, both in JSON.
package main

import (
	"context"
	"syscall/js"

	"example.org/mercer/compute"
	"example.org/mercer/lab"
)

func main() {
	js.Global().Set("mercerCall", js.FuncOf(call))
	select {} // calls come from the page
}

// call answers in a goroutine, and settles a promise.
func call(_ js.Value, args []js.Value) any {
	screen, request := args[0].String(), args[1].String()
	return js.Global().Get("Promise").New(js.FuncOf(func(_ js.Value, settle []js.Value) any {
		go func() {
			answer, err := lab.Call(context.Background(), screen, []byte(request), compute.Options{Workers: 1})
			if err != nil {
				settle[1].Invoke(js.Global().Get("Error").New(err.Error()))
				return
			}
			settle[0].Invoke(string(answer))
		}()
		return nil
	}))
}
