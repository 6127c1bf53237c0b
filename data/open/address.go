package open

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"example.org/mercer/data"
	"example.org/mercer/internal/progress"
)

// isAddress reports whether a path is an address on the web, http://… or https://….
func isAddress(path string) bool {
	scheme, _, ok := strings.Cut(path, "://")
	return ok && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

const (
	// mostDownloaded is how many bytes an address may have where there is no budget of memory; with
	// one it is so many times that, as for files that are decompressed.
	mostDownloaded = 64 << 30
	// mostRedirects is how often an address may send on to another.
	mostRedirects = 5
	// patience is how long a server may take to begin its answer, and silence how long it may
	// pause in it.
	patience, silence = 30 * time.Second, 30 * time.Second
	// digestMark stands in front of the digest that the content of an address must have.
	digestMark = "sha256="
)

// download is an address that is copied to a temporary file, so that it is read as any file.
type download struct {
	address string
	name    string // without what may be secret
	digest  string // "": any
	limit   int64
	told    func(stage string, done, total int64)
}

// newDownload takes an address apart.
func newDownload(address string, o Options) (*download, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return nil, &data.Error{Source: address, Reason: "is no address", Fix: "write https://host/path"}
	}
	d := &download{name: u.Scheme + "://" + u.Host + u.EscapedPath(), limit: mostDownloaded, told: o.Progress}
	if most := o.account.Limit(); most > 0 && !o.passes {
		d.limit = mostTimes * most
	}
	if u.Fragment != "" {
		hexed, ok := strings.CutPrefix(strings.ToLower(u.Fragment), digestMark)
		if _, err := hex.DecodeString(hexed); !ok || err != nil || len(hexed) != 2*sha256.Size {
			return nil, &data.Error{Source: d.name, Reason: "has behind # something other than a digest", Fix: "write #sha256= and 64 hexadecimal digits, or nothing"}
		}
		d.digest, u.Fragment = hexed, ""
	}
	d.address = u.String()
	return d, nil
}

// open copies the address to a temporary file, which the caller removes.
func (d *download) open(ctx context.Context) (kept *os.File, err error) {
	watched, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	request, err := http.NewRequestWithContext(watched, http.MethodGet, d.address, nil)
	if err != nil {
		return nil, d.fail("is no address", err)
	}
	request.Header.Set("User-Agent", "mercer")
	client := &http.Client{CheckRedirect: d.follows, Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, ResponseHeaderTimeout: patience, TLSHandshakeTimeout: patience,
		DialContext: (&net.Dialer{Timeout: patience}).DialContext}}
	defer client.CloseIdleConnections()
	answer, err := client.Do(request)
	if err != nil {
		return nil, d.stopped(ctx, "cannot be fetched", err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, &data.Error{Source: d.name, Reason: "cannot be fetched: the server says " + answer.Status, Fix: "look at the address in a browser"}
	}
	if answer.ContentLength > d.limit {
		return nil, d.tooLong(answer.ContentLength)
	}
	f, err := os.CreateTemp("", "mercer-*")
	if err != nil {
		return nil, d.fail("cannot be kept", err)
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	quiet := time.AfterFunc(silence, func() { cancel(fmt.Errorf("the server was silent for %s", silence)) })
	defer quiet.Stop()
	sum := sha256.New()
	body := &counted{r: answer.Body, heard: func() { quiet.Reset(silence) }, told: progress.Start(d.told, "download", max(answer.ContentLength, 0))}
	n, err := io.Copy(io.MultiWriter(f, sum), io.LimitReader(body, d.limit+1))
	body.told.Done()
	switch {
	case err != nil:
		return nil, d.stopped(ctx, "came in part", cmp.Or(context.Cause(watched), err))
	case n > d.limit:
		return nil, d.tooLong(n)
	}
	if err := d.check(sum); err != nil {
		return nil, err
	}
	_, err = f.Seek(0, io.SeekStart)
	return f, err
}

// follows refuses to be sent on and on, and from an encrypted address to one that is not.
func (d *download) follows(next *http.Request, before []*http.Request) error {
	switch {
	case len(before) > mostRedirects:
		return fmt.Errorf("it was sent on more than %d times", mostRedirects)
	case before[0].URL.Scheme == "https" && next.URL.Scheme != "https":
		return errors.New("it was sent on from https to " + next.URL.Scheme)
	}
	return nil
}

// check compares the digest of the content.
func (d *download) check(sum hash.Hash) error {
	if got := hex.EncodeToString(sum.Sum(nil)); d.digest != "" && got != d.digest {
		return &data.Error{Source: d.name, Reason: "has the digest sha256=" + got + ", and sha256=" + d.digest + " was asked for", Fix: "find out which of the two is right: the content has changed"}
	}
	return nil
}

// stopped is the error of a download, or that of ctx. Errors of package http repeat the address
// with all that may be secret in it.
func (d *download) stopped(ctx context.Context, reason string, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var of *url.Error
	if errors.As(err, &of) {
		err = of.Err
	}
	return d.fail(reason, err)
}

func (d *download) fail(reason string, err error) error {
	return &data.Error{Source: d.name, Reason: reason, Err: err}
}

func (d *download) tooLong(bytes int64) error {
	return &data.Error{Source: d.name, Reason: fmt.Sprintf("has %d bytes or more, and %d are allowed", bytes, d.limit), Fix: "allow more memory (--max-mem), or download it and read the file in passes"}
}

// counted is a body that tells how much has come.
type counted struct {
	r     io.Reader
	done  int64
	heard func()
	told  *progress.Meter
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.done += int64(n)
	c.told.Reach(c.done)
	c.heard()
	return n, err
}
