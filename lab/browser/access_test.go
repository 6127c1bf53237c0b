package browser

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// axe returns the rules of accessibility that AXE names, a file of axe-core (axe.min.js), or
// skips the test.
func axe(t *testing.T) string {
	t.Helper()
	path := os.Getenv("AXE")
	if path == "" {
		t.Skip("AXE names no axe.min.js of axe-core: rules of accessibility are not checked")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// checked wants no violation of the rules on the page as it is.
func (v *visit) checked(rules, what string) {
	v.t.Helper()
	v.do(chromedp.Evaluate[chromedp.Void](rules+`; axe.run().then((r) => { window.found = r.violations.map((o) => o.id + ' (' + o.impact + '): ' + o.nodes.slice(0, 3).map((n) => n.html.slice(0, 90)).join(' | ')).join('\n'); })`),
		until("window.found !== undefined"))
	if found := v.eval("window.found"); found != "" {
		v.t.Errorf("%s: %s", what, found)
	}
}

// TestAccess checks every screen by axe, filled, in light and in dark colours, on a narrow
// window, and with an error told.
func TestAccess(t *testing.T) {
	rules := axe(t)
	v := page(t)
	for _, scheme := range []string{"light", "dark"} {
		v.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
			return err
		}))
		for _, name := range screens {
			v.goTo("#" + name)
			v.checked(rules, name+", "+scheme)
		}
	}
	v.do(chromedp.EmulateViewport(320, 640))
	for _, name := range screens {
		v.goTo("#" + name)
		v.checked(rules, name+", narrow")
	}
	for name, state := range map[string]string{"gram": "kernel=rbf(", "graphs": "edges=1-99"} {
		v.do(chromedp.Navigate("about:blank"), chromedp.Navigate(v.url+fmt.Sprintf("#%s?%s", name, state)), until("document.querySelector('#problem') && !document.querySelector('#problem').hidden"))
		v.checked(rules, name+", with an error")
	}
}
