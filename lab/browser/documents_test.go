package browser

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// documents serves the documents as a site, made with the flags given, and opens a page of
// them.
func documents(t *testing.T, page string, flags ...string) *visit {
	t.Helper()
	browserOrSkip(t)
	dir := t.TempDir()
	render := exec.Command("go", append([]string{"-C", "../../site", "run", ".", "--out", dir}, flags...)...)
	render.Env = append(os.Environ(), "GOFLAGS=")
	if out, err := render.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	files := httptest.NewServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(files.Close)
	v := open(t, files.URL+"/")
	v.do(chromedp.Navigate(files.URL + "/" + page))
	return v
}

// What is typed is found in documents and packages, by the beginnings of words, and what is
// found leads to its place.
func TestSearchOfDocuments(t *testing.T) {
	v := documents(t, "docs/methods/krr.html", "--no-lab")
	hits := "document.querySelector('#site-hits')"
	v.do(chromedp.SendKeys(chromedp.CSS("#site-query"), "jackknife interv"), until(hits+".querySelectorAll('li a').length > 0"))
	if v.eval("document.querySelector('article').hidden") != "true" {
		t.Error("the page is there beside what was found")
	}
	href := v.eval(hits + ".querySelector('li a').href")
	v.do(chromedp.Navigate("about:blank"), chromedp.Navigate(href))
	if v.eval("document.getElementById(decodeURIComponent(location.hash.slice(1)) || 'site-main') !== null") != "true" || !strings.Contains(strings.ToLower(v.eval("document.body.textContent")), "jackknife") {
		t.Errorf("the link %s leads to no place with the word", href)
	}
	v.do(until("document.querySelector('#site-search').hidden === false"), chromedp.SendKeys(chromedp.CSS("#site-query"), "zzzzzz"), until(hits+".textContent.includes('Nothing was found')"))
	v.clean()
}

// A figure gives way to the screen of the lab with the same subject, which answers.
func TestFiguresComeToLife(t *testing.T) {
	if os.Getenv("MERCER_LARGE") == "" {
		t.Skip("the site with the lab is compiled by MERCER_LARGE=1 alone")
	}
	v := documents(t, "docs/guide/gallery.html")
	v.do(until("document.querySelectorAll('button.live:not([hidden])').length >= 12"))
	for _, screen := range []string{"boundary", "gram", "workshop", "components", "clusters", "words", "curve"} {
		button := "document.querySelector('button.live[data-screen*=\"#" + screen + "\"]')"
		v.do(chromedp.Evaluate[chromedp.Void](button+".click()"), until("[...document.querySelectorAll('iframe')].some((f) => f.src.includes('#"+screen+"') && Number(f.contentDocument?.body?.dataset.answers) >= 1 && f.contentDocument.querySelector('#problem').hidden)"))
	}
	v.picture("live figures")
}
