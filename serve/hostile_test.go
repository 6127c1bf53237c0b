package serve

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

// blanks are bytes without an end, and how many of them were taken.
type blanks struct{ taken atomic.Int64 }

func (b *blanks) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	b.taken.Add(int64(len(p)))
	return len(p), nil
}

// A body of a gigabyte is refused: by its declared length before it is read, and where no length is
// declared once it is as long as a body may be. What was sent beyond that stands in buffers of
// sockets.
func TestGigabyteBody(t *testing.T) {
	const most, buffers, gigabyte = 1 << 20, 32 << 20, 1 << 30
	s := serving(t, Options{MaxBody: most})
	for _, declared := range []int64{gigabyte, -1} {
		var sent blanks
		r, err := http.NewRequestWithContext(t.Context(), "POST", s.url+"/v2/models/kinds/infer", io.LimitReader(&sent, gigabyte))
		if err != nil {
			t.Fatal(err)
		}
		r.ContentLength = declared
		answer, err := http.DefaultClient.Do(r)
		if err == nil { // else the connection was closed while the client still wrote
			if answer.StatusCode != http.StatusRequestEntityTooLarge {
				t.Errorf("a body of a declared length of %d is answered %s", declared, answer.Status)
			}
			answer.Body.Close()
		}
		if taken := sent.taken.Load(); taken > most+buffers {
			t.Errorf("of a body of a declared length of %d, %d bytes were taken", declared, taken)
		}
		s.ask(t, "POST", "/v2/models/kinds/infer", []byte(oneKind)).want(t, http.StatusOK, "label")
	}
	if held := s.held.Load(); held != 0 {
		t.Errorf("%d bytes are held by nobody", held)
	}
}

// Connections that say nothing, or never end a header, keep nobody else waiting.
func TestIdleConnections(t *testing.T) {
	const count = 2000 // both ends are in this process; 10,000 are tried in docs/results/serving.md
	s := serving(t, Options{})
	address := strings.TrimPrefix(s.url, "http://")
	for i := range count {
		c, err := new(net.Dialer).DialContext(t.Context(), "tcp", address)
		if err != nil {
			t.Skipf("%d connections are open, and no more can be: %v", i, err)
		}
		defer c.Close()
		if i%2 == 1 {
			if _, err := fmt.Fprint(c, "POST /v2/models/kinds/infer HTTP/1.1\r\nHost: localhost\r\n"); err != nil {
				t.Fatal(err)
			}
		}
	}
	s.ask(t, "POST", "/v2/models/kinds/infer", []byte(oneKind)).want(t, http.StatusOK, "label")
}
