package browser

import (
	"fmt"
	"os"
	"testing"

	"github.com/chromedp/chromedp"
)

// frames asks a screen again and again, as a hand does that drags a point, and draws each
// answer: the median and the longest time of a frame, in milliseconds.
const frames = `(async (screen, n, times) => {
  const { open } = await import('./engine.js'), engine = await open(), { default: s } = await import('./screens/' + screen + '.js'), { random, normal } = await import('./screens/shared.js');
  const r = random(1), state = s.start(), took = [];
  if (screen === 'curve') { state.x = []; state.y = []; for (let i = 0; i < n; i++) { state.x.push(6 * r()); state.y.push(Math.sin(2 * state.x[i]) + .2 * normal(r)); } }
  else { state.xy = []; state.labels = []; for (let i = 0; i < n; i++) { const l = i %% 2; state.xy.push(l + .5 * normal(r), l + .5 * normal(r)); state.labels.push(l); } }
  Object.assign(state, %s);
  for (let i = 0; i < times; i++) {
    if (screen === 'curve') state.y[0] += .01; else state.xy[0] += .01;
    const from = performance.now(), q = s.request(state, true), answer = await engine.call(screen, q), figures = s.draw(answer, state, q);
    document.querySelector('#views').replaceChildren(...figures.map((f) => f.plot ? f.plot.svg : f.node));
    await new Promise((done) => requestAnimationFrame(done));
    if (i >= 3) took.push(performance.now() - from);
  }
  took.sort((a, b) => a - b);
  window.frames = took[took.length >> 1].toFixed(1) + ' ms, at most ' + took[took.length - 1].toFixed(1);
})(%q, %d, %d).catch((e) => { window.frames = String(e); })`

// TestFrames tells how long frames take, by the server and in WebAssembly, where LAB_FRAMES
// asks for it: it is a measurement, and nothing fails by it.
func TestFrames(t *testing.T) {
	if os.Getenv("LAB_FRAMES") == "" {
		t.Skip("LAB_FRAMES=1 measures how long frames take")
	}
	v := page(t)
	site, _ := exported(t)
	for _, c := range []struct{ screen, state string }{
		{"boundary", "{ method: 'svc' }"}, {"boundary", "{ method: 'klr' }"}, {"boundary", "{ method: 'kfda' }"},
		{"curve", "{ method: 'krr' }"}, {"curve", "{ method: 'gp' }"}, {"components", "{}"}, {"clusters", "{}"}, {"gram", "{}"},
	} {
		for _, by := range []struct {
			name   string
			v      *visit
			points []int
		}{{"the server", v, []int{200, 500}}, {"WebAssembly", site, []int{100, 200}}} {
			for _, n := range by.points {
				if c.screen == "gram" && n > 300 {
					continue
				}
				by.v.goTo("#" + c.screen)
				by.v.do(chromedp.Evaluate[chromedp.Void]("window.frames = undefined; "+fmt.Sprintf(frames, c.state, c.screen, n, 23)), until("typeof window.frames === 'string'"))
				t.Logf("%s %s, %d points, by %s: %s", c.screen, c.state, n, by.name, by.v.eval("window.frames"))
			}
		}
	}
}
