package browser

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// written is an action: it types into a field.
func (v *visit) written(name, text string) {
	v.t.Helper()
	v.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf("(() => { const e = document.querySelector('[name=%s]'); e.value = %q; e.dispatchEvent(new Event('input')); e.dispatchEvent(new Event('change')); })()", name, text)))
}

// pressed presses a button by what it says.
func (v *visit) pressed(text string) {
	v.t.Helper()
	v.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf("[...document.querySelectorAll('button')].find((b) => b.textContent.includes(%q)).click()", text)))
}

// TestGraph takes an edge away from one graph, so that colours tell the graphs apart, and joins
// the graphs, which is refused in words.
func TestGraph(t *testing.T) {
	v := page(t)
	v.goTo("#graphs")
	if says := v.eval("document.querySelector('#says').textContent"); !strings.Contains(says, "the kernel is 144") || !strings.Contains(says, "nothing tells the graphs apart") {
		t.Errorf("at first: %s", says)
	}
	v.written("edges", "1-2 2-3 3-4 4-5 5-6 7-8 8-9 9-7 10-11 11-12 12-10")
	v.do(until("!document.querySelector('#says').textContent.includes('nothing tells')"))
	v.written("edges", "1-2 6-7")
	v.do(until("document.querySelector('#problem').textContent.includes('joins the two graphs')"))
	v.written("edges", "1-2 7-8")
	v.do(until("document.querySelector('#problem').hidden"))
	v.pressedOn(`[data-point="0"]`, " ")
	v.do(until(`document.querySelector('[data-point="0"]').getAttribute('aria-label').includes('graph A, O')`))
	v.clean()
}

// TestTable takes a table, shows its plan, follows it, and forgets the fit for another
// question.
func TestTable(t *testing.T) {
	v := page(t)
	v.goTo("#table")
	var text strings.Builder
	text.WriteString("width,\"kind, of all\",cost\n")
	for i := range 40 {
		fmt.Fprintf(&text, "%d,%s,%d\n", i, []string{"a", "b"}[i%2], 3*i+50*(i%2))
	}
	good, bad := filepath.Join(t.TempDir(), "good.csv"), filepath.Join(t.TempDir(), "bad.csv")
	if err := errors.Join(os.WriteFile(good, []byte(text.String()), 0o666), os.WriteFile(bad, []byte("a,b\n1,2\n3\n4,5\n6,7\n8,9\n"), 0o666)); err != nil {
		t.Fatal(err)
	}
	v.do(chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{good}), until("document.querySelector('#says').textContent.startsWith('Plan: 40 rows with 3 features')"))
	if svgs := v.eval("document.querySelectorAll('#views svg').length"); svgs != "0" {
		t.Errorf("%s pictures before the fit", svgs)
	}
	v.pressed("Follow the plan")
	v.do(until("document.querySelector('#says').textContent.includes('R² 0.9') || document.querySelector('#says').textContent.includes('R² 1')"))
	if svgs := v.eval("document.querySelectorAll('#views svg').length"); svgs != "3" {
		t.Errorf("%s pictures of the fit", svgs)
	}
	v.picture("table-fit")
	v.written("target", "kind, of all")
	v.do(until("document.querySelector('#says').textContent.startsWith('Plan:')"))
	v.pressed("Follow the plan")
	v.do(until("document.querySelector('#says').textContent.includes('right label')"))
	if cells := v.eval("document.querySelectorAll('#views table')[0].querySelectorAll('td').length"); cells != "5" {
		t.Errorf("%s cells of two labels, and the corner", cells)
	}
	v.do(chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{bad}), until("!document.querySelector('#problem').hidden"))
	if text := v.eval("document.querySelector('#problem').textContent"); !strings.Contains(text, "bad.csv: row 2 has 1 cells") {
		t.Errorf("of a bad file: %q", text)
	}
	if strings.Contains(v.eval("location.hash"), "width") {
		t.Error("the table is in the address")
	}
	v.clean()
}

// TestBeside compares two kernels.
func TestBeside(t *testing.T) {
	v := page(t)
	v.goTo("#boundary")
	v.written("other", "linear")
	v.do(until("document.querySelectorAll('#views svg').length === 2 && document.querySelector('#says').textContent.includes('linear()')"))
	v.picture("boundary-beside")
	v.written("other", "")
	v.do(until("document.querySelectorAll('#views svg').length === 1"))
	v.clean()
}

// TestDigits asks for pre-images by another method.
func TestDigits(t *testing.T) {
	v := page(t)
	v.goTo("#denoise")
	before := v.eval("document.querySelector('#says').textContent")
	v.written("method", "fixed-point")
	v.do(until(fmt.Sprintf("document.querySelector('#says').textContent !== %q", before)))
	if n := v.eval("document.querySelectorAll('#views image').length"); n != "40" {
		t.Errorf("%s images", n)
	}
	v.clean()
}

// TestCursor lets the pointer move over the plane of components: the sentence follows, and so
// does the address once a field is left.
func TestCursor(t *testing.T) {
	v := page(t)
	v.goTo("#components?follow=true")
	v.do(until("document.querySelector('#says').textContent.includes('pre-image of the projection')"))
	before := v.eval("document.querySelector('#says').textContent")
	x, y := 0.0, 0.0
	if _, err := fmt.Sscan(v.eval("(() => { const r = document.querySelector('#views svg').getBoundingClientRect(); return r.x + .7 * r.width + ' ' + (r.y + .3 * r.height); })()"), &x, &y); err != nil {
		t.Fatal(err)
	}
	v.do(chromedp.MouseEvent("mouseMoved", x, y), until(fmt.Sprintf("document.querySelector('#says').textContent !== %q", before)))
	v.clean()
}

// TestCancel ends what takes long by its button.
func TestCancel(t *testing.T) {
	v := page(t)
	v.goTo("#deep")
	v.do(chromedp.Evaluate[chromedp.Void]("window.fetch = (of => (a, o) => new Promise((done, failed) => { o?.signal?.addEventListener('abort', () => failed(o.signal.reason)); }))(window.fetch)"))
	v.written("steps", "199")
	v.do(until("!document.querySelector('#wait').hidden"))
	v.pressed("Cancel")
	v.do(until("document.querySelector('#wait').hidden && document.querySelector('#problem').textContent.includes('Cancelled')"))
	v.clean()
}
