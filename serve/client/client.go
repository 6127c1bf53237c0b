package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Options say how a server is asked. The zero value asks without a token.
type Options struct {
	Token string       // a bearer token
	HTTP  *http.Client // nil: the default one, without a limit of its own: limits are those of contexts
	// Retries is how often a request is sent again to a server that has no room; 0: 3; negative:
	// never.
	Retries int
	// MostWait bounds the time that the server asks to wait between; 0: 10 seconds.
	MostWait time.Duration
	// MostAnswer bounds the bytes of an answer; 0: 1 GiB.
	MostAnswer int64
}

// Client asks one server. It is safe for concurrent use.
type Client struct {
	address *url.URL
	o       Options
}

// New returns a client of a server at an address such as http://127.0.0.1:8080. Nothing is sent.
func New(address string, o Options) (*Client, error) {
	at, err := url.Parse(strings.TrimSuffix(address, "/"))
	if err != nil {
		return nil, fmt.Errorf("client: the address %q cannot be read: %w", address, err)
	}
	if at.Scheme != "http" && at.Scheme != "https" || at.Host == "" {
		return nil, fmt.Errorf("client: the address is %q; give one such as http://127.0.0.1:8080", address)
	}
	if o.HTTP == nil {
		o.HTTP = http.DefaultClient
	}
	switch {
	case o.Retries == 0:
		o.Retries = 3
	case o.Retries < 0:
		o.Retries = 0
	}
	if o.MostWait == 0 {
		o.MostWait = 10 * time.Second
	}
	if o.MostAnswer == 0 {
		o.MostAnswer = 1 << 30
	}
	return &Client{at, o}, nil
}

// Error is an answer that is no result.
type Error struct {
	Status  int    // of HTTP
	Message string // what the server says
	Request string // its number in the log of the server
}

func (e *Error) Error() string {
	if e.Request == "" {
		return fmt.Sprintf("client: the server answers %d: %s", e.Status, e.Message)
	}
	return fmt.Sprintf("client: the server answers %d to request %s: %s", e.Status, e.Request, e.Message)
}

// question is a request that can be sent again.
type question struct {
	method, path string
	query        url.Values
	media        string
	body         []byte
	header       http.Header
}

// answer is a whole answer.
type answer struct {
	header http.Header
	body   []byte
}

// ask sends a question, again where the server has no room, and reads the answer.
func (c *Client) ask(ctx context.Context, q question) (*answer, error) {
	for again := 0; ; again++ {
		a, wait, err := c.once(ctx, q)
		var refused *Error
		if err == nil || again >= c.o.Retries || wait < 0 || !errors.As(err, &refused) {
			return a, err
		}
		timer := time.NewTimer(min(wait, c.o.MostWait))
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil, errors.Join(err, ctx.Err())
		case <-timer.C:
		}
	}
}

// once sends a question. wait is how long the server asks to wait before another; negative: another
// would be answered in the same way.
func (c *Client) once(ctx context.Context, q question) (a *answer, wait time.Duration, err error) {
	at := c.address.JoinPath(q.path)
	at.RawQuery = q.query.Encode()
	r, err := http.NewRequestWithContext(ctx, q.method, at.String(), bytes.NewReader(q.body))
	if err != nil {
		return nil, -1, fmt.Errorf("client: %w", err)
	}
	for name, values := range q.header {
		r.Header[name] = values
	}
	if q.media != "" {
		r.Header.Set("Content-Type", q.media)
	}
	if c.o.Token != "" {
		r.Header.Set("Authorization", "Bearer "+c.o.Token)
	}
	got, err := c.o.HTTP.Do(r)
	if err != nil {
		return nil, -1, fmt.Errorf("client: %w", err)
	}
	defer got.Body.Close()
	body, err := io.ReadAll(io.LimitReader(got.Body, c.o.MostAnswer+1))
	switch {
	case err != nil:
		return nil, -1, fmt.Errorf("client: the answer ended early: %w", err)
	case int64(len(body)) > c.o.MostAnswer:
		return nil, -1, fmt.Errorf("client: the answer is larger than %d bytes: ask for fewer rows, or raise MostAnswer", c.o.MostAnswer)
	case got.StatusCode == http.StatusOK:
		return &answer{got.Header, body}, 0, nil
	}
	return nil, waitOf(got), refusal(got, body)
}

// waitOf is how long an answer asks to wait; negative: it does not.
func waitOf(got *http.Response) time.Duration {
	if got.StatusCode != http.StatusTooManyRequests && got.StatusCode != http.StatusServiceUnavailable {
		return -1
	}
	seconds, err := strconv.Atoi(got.Header.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return -1
	}
	return time.Duration(seconds) * time.Second
}

// refusal is what an answer says that is no result.
func refusal(got *http.Response, body []byte) *Error {
	var said struct {
		Error string `json:"error"`
	}
	if json.Unmarshal(body, &said) != nil || said.Error == "" {
		said.Error = strings.TrimSpace(string(body[:min(len(body), 200)]))
	}
	return &Error{Status: got.StatusCode, Message: said.Error, Request: got.Header.Get("X-Request-Id")}
}

// json asks, and reads an answer of JSON.
func (c *Client) json(ctx context.Context, q question, into any) error {
	a, err := c.ask(ctx, q)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(a.body, into); err != nil {
		return fmt.Errorf("client: the answer to %s cannot be read: %w", q.path, err)
	}
	return nil
}
