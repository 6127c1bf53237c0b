package browser

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// browsers are what the tests run in.
var browsers = []string{"chromium", "chromium-headless-shell", "chromium-browser", "google-chrome"}

// visit is a tab with what went wrong in it.
type visit struct {
	context.Context
	t   *testing.T
	url string

	mu       sync.Mutex
	problems []string
}

// browserOrSkip returns the path of a browser, or skips the test.
func browserOrSkip(t *testing.T) string {
	t.Helper()
	for _, name := range browsers {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no browser is installed: the page is tested in Chromium")
	return ""
}

// open opens a tab of a browser.
func open(t *testing.T, url string) *visit {
	t.Helper()
	path := browserOrSkip(t)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.WindowSize(1280, 1000),
		chromedp.Flag("enable-blink-features", "ComputedAccessibilityInfo")) // names as readers of screens hear them
	all, stop := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stop)
	tab, end := chromedp.NewContext(all)
	t.Cleanup(end)
	limited, done := context.WithTimeout(tab, 3*time.Minute)
	t.Cleanup(done)
	v := &visit{Context: limited, t: t, url: url}
	said := chromedp.Console(limited)
	go func() {
		for m, err := range said {
			if err != nil {
				return
			}
			if (m.Type == chromedp.ConsoleException || m.Type == "error") && !strings.Contains(m.Text, "400 (Bad Request)") {
				v.mu.Lock()
				v.problems = append(v.problems, m.Text)
				v.mu.Unlock()
			}
		}
	}()
	return v
}

func (v *visit) do(actions ...chromedp.Action[chromedp.Void]) {
	v.t.Helper()
	if err := chromedp.Do(v, actions...); err != nil {
		v.t.Fatalf("%v (%v)", err, v.problems)
	}
}

// goTo shows an address of the page and waits for the first answer.
func (v *visit) goTo(hash string) {
	v.t.Helper()
	v.do(chromedp.Navigate("about:blank"), chromedp.Navigate(v.url+hash), v.answered(1))
}

// answered waits until so many answers were drawn.
func (v *visit) answered(count int) chromedp.Action[chromedp.Void] {
	return until(fmt.Sprintf("Number(document.body.dataset.answers) >= %d", count))
}

// until waits for a condition.
func until(condition string) chromedp.Action[chromedp.Void] {
	return chromedp.Poll[chromedp.Void](condition, chromedp.WithPollingTimeout(time.Minute))
}

// settled waits until no other picture is to come: what a test looks at then stays where it is.
func settled() chromedp.Action[chromedp.Void] {
	return until("document.querySelector('#views')?.getAttribute('aria-busy') === 'false'")
}

// pressedOn presses a key on what a selector finds, once nothing is drawn anew.
func (v *visit) pressedOn(selector, key string) {
	v.t.Helper()
	v.do(settled(), chromedp.Focus(chromedp.CSS(selector)), chromedp.KeyEvent(key))
}

func (v *visit) eval(script string) string {
	v.t.Helper()
	out, err := chromedp.Run(v, chromedp.Evaluate[string]("String("+script+")"))
	if err != nil {
		v.t.Fatalf("%s: %v", script, err)
	}
	return out
}

func (v *visit) answers() int {
	n := 0
	_, _ = fmt.Sscan(v.eval("document.body.dataset.answers ?? 0"), &n)
	return n
}

// clean wants no errors, and no request to another host.
func (v *visit) clean() {
	v.t.Helper()
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, p := range v.problems {
		v.t.Errorf("the page says: %s", p)
	}
	if others := v.eval("performance.getEntriesByType('resource').map((r) => r.name).filter((n) => !n.startsWith(location.origin) && !n.startsWith('data:') && !n.startsWith('blob:'))"); others != "" {
		v.t.Errorf("the page asked for %s", others)
	}
}

// picture keeps what the page looks like, where that is asked for.
func (v *visit) picture(name string) {
	v.t.Helper()
	dir := os.Getenv("LAB_PICTURES")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(v, chromedp.FullScreenshot(100))
	if err := errors.Join(err, os.MkdirAll(dir, 0o777), os.WriteFile(filepath.Join(dir, name+".png"), png, 0o666)); err != nil {
		v.t.Fatal(err)
	}
}

// served starts the lab as a user would, and returns its address.
var served = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "lab")
	if err != nil {
		return "", err
	}
	program := filepath.Join(dir, "mercer")
	build := exec.Command("go", "build", "-o", program, "./cmd/mercer")
	build.Dir, build.Env = "../..", append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	built = program
	lab := exec.Command(program, "lab", "--listen", "127.0.0.1:0")
	printed, err := lab.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := lab.Start(); err != nil {
		return "", err
	}
	stopped = func() { _ = lab.Process.Kill(); _ = lab.Wait(); os.RemoveAll(dir) }
	line, err := bufio.NewReader(printed).ReadString('\n')
	return strings.TrimSpace(strings.TrimPrefix(line, "open ")), err
})

var (
	stopped = func() {}
	built   string // the program
)

func TestMain(m *testing.M) {
	code := m.Run()
	stopped()
	os.Exit(code)
}

func page(t *testing.T) *visit {
	t.Helper()
	browserOrSkip(t)
	url, err := served()
	if err != nil {
		t.Fatal(err)
	}
	return open(t, url)
}

var screens = []string{"curve", "boundary", "gram", "workshop", "falsifier", "components", "clusters", "denoise", "words", "graphs", "deep", "table"}

// TestScreens opens each screen: there are pictures and words about them, all that can be used
// has a name for readers of screens, and nothing is asked of other hosts.
func TestScreens(t *testing.T) {
	v := page(t)
	for _, name := range screens {
		v.goTo("#" + name)
		if v.eval("document.querySelector('#problem').hidden") != "true" || v.eval("document.querySelector('#says').textContent.length > 10") != "true" {
			t.Errorf("%s: %s", name, v.eval("document.querySelector('#problem').textContent"))
		}
		if v.eval("document.querySelectorAll('#views svg, #views table').length > 0 && document.querySelectorAll('nav [aria-current]').length === 1") != "true" {
			t.Errorf("%s has no picture, or no place in the list", name)
		}
		if text := v.eval("document.querySelector('#command').textContent"); !strings.Contains(text, "mercer") {
			t.Errorf("%s: the command is %q", name, text)
		}
		v.named(name)
		v.picture(name)
		program(t, name, v.eval("document.querySelector('#program').textContent"))
	}
	v.clean()
}

// program wants a Go program that compiles.
func program(t *testing.T, screen, text string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	vet := exec.Command("go", "vet", path)
	vet.Dir = "../.."
	if out, err := vet.CombinedOutput(); err != nil {
		t.Errorf("the program of %s: %v: %s", screen, err, out)
	}
}

// TestSite exports the page, serves its files, and compares what it says without a server with
// what it says with one: the numbers of its sentences have three digits.
func TestSite(t *testing.T) {
	v := page(t)
	site, dir := exported(t)
	for _, name := range screens {
		v.goTo("#" + name)
		site.goTo("#" + name)
		if name == "table" { // plans are of two machines, fits are the same
			for _, of := range []*visit{v, site} {
				of.pressed("Follow the plan")
				of.do(until("document.querySelector('#says').textContent.includes('R²')"))
			}
		}
		want, got := v.eval("document.querySelector('#says').textContent"), site.eval("document.querySelector('#says').textContent")
		if name == "deep" { // a search of many steps, whose last bits differ
			want, got = digit.ReplaceAllString(want, ""), digit.ReplaceAllString(got, "")
		}
		if got != want {
			t.Errorf("%s: the site says %q, the server %q", name, got, want)
		}
	}
	if engine := site.eval("document.querySelector('#engine').textContent"); !strings.Contains(engine, "without a server") {
		t.Errorf("the site is answered %q", engine)
	}
	size := compressed(t, dir)
	if t.Logf("the site has %d bytes, compressed", size); size > 8<<20 {
		t.Errorf("the site has %d bytes, compressed", size)
	}
}

// exported is a tab of the page as a site without a server, and its folder.
func exported(t *testing.T) (site *visit, dir string) {
	t.Helper()
	dir = t.TempDir()
	export := exec.Command(built, "lab", "--export", dir, "--source", "../..")
	if out, err := export.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	files := httptest.NewServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(files.Close)
	return open(t, files.URL+"/"), dir
}

// digit is one.
var digit = regexp.MustCompile(`[0-9]`)

// compressed is the size of all files of a folder after gzip.
func compressed(t *testing.T, dir string) int64 {
	t.Helper()
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err := errors.Join(filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if err == nil {
			_, err = w.Write(content)
		}
		return err
	}), w.Close()); err != nil {
		t.Fatal(err)
	}
	return int64(out.Len())
}

// named wants a name for everything that can be used.
func (v *visit) named(screen string) {
	v.t.Helper()
	nameless := v.eval("[...document.querySelectorAll('a, button, input, select, textarea, [tabindex], svg[role]')].filter((e) => e.checkVisibility() && e.id !== 'main' && !e.computedName).map((e) => e.outerHTML.slice(0, 80))")
	if nameless != "" {
		v.t.Errorf("%s: without a name are %s", screen, nameless)
	}
}

// TestSettings moves a slider, and goes back by the history of the browser.
func TestSettings(t *testing.T) {
	v := page(t)
	v.goTo("#curve")
	before := v.eval("document.querySelector('#says').textContent")
	v.pressedOn(`input[name=lambda]`, kb.End) // the largest λ
	v.do(until(fmt.Sprintf("document.querySelector('#says').textContent !== %q", before)))
	if hash := v.eval("location.hash"); !strings.Contains(hash, "lambda=10") {
		t.Errorf("the address is %s", hash)
	}
	v.do(chromedp.Evaluate[chromedp.Void]("history.back()"), until(fmt.Sprintf("document.querySelector('#says').textContent === %q", before)))
	v.clean()
}

// TestPoints drags a point, moves one by the keyboard, adds and removes one, and relabels one.
func TestPoints(t *testing.T) {
	v := page(t)
	v.goTo("#boundary")
	where := `(() => { const r = document.querySelector('[data-point="5"]').getBoundingClientRect(); return r.x + r.width/2 + ' ' + (r.y + r.height/2); })()`
	x, y := 0.0, 0.0
	if _, err := fmt.Sscan(v.eval(where), &x, &y); err != nil {
		t.Fatal(err)
	}
	asked := v.answers()
	v.do(chromedp.MouseEvent("mousePressed", x, y, chromedp.ButtonLeft), chromedp.MouseEvent("mouseMoved", x+40, y+30, chromedp.ButtonLeft), v.answered(asked+1),
		chromedp.MouseEvent("mouseReleased", x+40, y+30, chromedp.ButtonLeft), v.answered(asked+2), settled())
	u, w := 0.0, 0.0
	if _, err := fmt.Sscan(v.eval(where), &u, &w); err != nil {
		t.Fatal(err)
	}
	if d := (u-x-40)*(u-x-40) + (w-y-30)*(w-y-30); d > 400 {
		t.Errorf("the point went from %v, %v to %v, %v", x, y, u, w)
	}
	count := v.eval("document.querySelectorAll('[data-point]').length")
	press := func(key string) {
		t.Helper()
		v.do(settled())
		asked := v.answers()
		v.pressedOn(`[data-point="0"]`, key)
		v.do(v.answered(asked+1), settled())
	}
	press(kb.ArrowRight)
	press("+")
	if now := v.eval("document.querySelectorAll('[data-point]').length"); now == count {
		t.Errorf("%s points after one was added", now)
	}
	press(kb.Delete)
	label := v.eval(`document.querySelector('[data-point="0"]').getAttribute('aria-label')`)
	press(" ")
	if now := v.eval(`document.querySelector('[data-point="0"]').getAttribute('aria-label')`); now == label {
		t.Errorf("the label stays: %s", now)
	}
	if now := v.eval("document.querySelectorAll('[data-point]').length"); now != count {
		t.Errorf("%s points, there were %s", now, count)
	}
	v.clean()
}

// TestMistakes: a kernel that cannot be read is told, the last picture stays, and a right one
// mends it.
func TestMistakes(t *testing.T) {
	v := page(t)
	v.goTo("#gram")
	write := func(text string) { // as typing does
		v.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf("(() => { const e = document.querySelector('[name=kernel]'); e.value = %q; e.dispatchEvent(new Event('input')); })()", text)))
	}
	write("rbf(sigma=")
	v.do(until("!document.querySelector('#problem').hidden && document.querySelector('#views').classList.contains('stale')"))
	if n := v.eval("document.querySelectorAll('#views svg').length"); n != "3" {
		t.Errorf("%s pictures stay", n)
	}
	write("rbf(sigma=2)")
	v.do(until("document.querySelector('#problem').hidden && !document.querySelector('#views').classList.contains('stale')"))
	write("tanh(scale=1, offset=-1)")
	v.do(until("document.querySelector('#says').textContent.includes('no positive definite kernel')"))
	v.clean()
}

// TestFiles takes points from a file, and tells what is wrong with another.
func TestFiles(t *testing.T) {
	v := page(t)
	v.goTo("#curve")
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "good.csv"), filepath.Join(dir, "bad.csv")
	if err := errors.Join(os.WriteFile(good, []byte("x,y\n1,2\n2,3\n3,2.5\n4,7\n"), 0o666), os.WriteFile(bad, []byte("x,y\n1,2\n2,no\n"), 0o666)); err != nil {
		t.Fatal(err)
	}
	asked := v.answers()
	v.do(chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{good}), v.answered(asked+1))
	if n := v.eval("document.querySelectorAll('[data-point]').length"); n != "4" {
		t.Errorf("%s points of the file", n)
	}
	v.do(chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{bad}), until("!document.querySelector('#problem').hidden"))
	if text := v.eval("document.querySelector('#problem').textContent"); !strings.Contains(text, "bad.csv") || !strings.Contains(text, "no number") {
		t.Errorf("of a bad file: %q", text)
	}
	if n := v.eval("document.querySelectorAll('[data-point]').length"); n != "4" {
		t.Errorf("%s points after a bad file", n)
	}
	v.clean()
}

// TestNarrow shows screens on a phone: nothing is wider than it.
func TestNarrow(t *testing.T) {
	v := page(t)
	v.do(chromedp.EmulateViewport(320, 640))
	for _, name := range screens {
		v.goTo("#" + name)
		if v.eval("document.documentElement.scrollWidth <= innerWidth") != "true" {
			t.Errorf("%s is %s wide on 320 pixels", name, v.eval("document.documentElement.scrollWidth"))
		}
	}
	v.picture("narrow")
}
