package serve

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync"
	"time"
)

// Listening says where a server listens.
type Listening struct {
	Address string // host:port; "": 127.0.0.1:8080
	// Public allows an address that other machines reach without a token or certificates of
	// clients.
	Public bool
	// Certificate and Key are files of a TLS certificate; they are read again when they change.
	Certificate, Key string
	// ClientCA is a file of certificates that must have signed those of clients.
	ClientCA string
	// Drain is the time that requests have to end when the server ends; 0: 10 s.
	Drain time.Duration
	// Started is told the address.
	Started func(url string)
}

// Times that a connection may take, whatever is asked.
const (
	headerTime = 5 * time.Second
	idleTime   = 2 * time.Minute
	headers    = 64 << 10 // bytes
)

// Run listens and answers until the context ends. Then it answers "not ready", takes no more
// connections, and ends when the requests that have begun are answered, or are given up after the
// time to drain.
func (s *Server) Run(ctx context.Context, l Listening) error {
	if l.Address == "" {
		l.Address = "127.0.0.1:8080"
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", l.Address)
	if err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	loopback := listener.Addr().(*net.TCPAddr).IP.IsLoopback()
	if !loopback && !l.Public && s.tokens == nil && l.ClientCA == "" {
		return errors.Join(fmt.Errorf("serve: other machines reach %s, and everyone would be answered: ask for tokens or client certificates, listen on 127.0.0.1, or say that it is meant to be public", listener.Addr()), listener.Close())
	}
	s.loopback.Store(loopback)
	server := &http.Server{
		Handler: s.handler, ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: headers,
		ReadTimeout: s.o.Timeout + headerTime, WriteTimeout: s.o.Timeout + headerTime,
		ErrorLog:  slog.NewLogLogger(s.o.Log.Handler(), slog.LevelDebug), // broken connections
		Protocols: protocols(),
	}
	scheme := "http"
	if l.Certificate != "" {
		scheme = "https"
		if server.TLSConfig, err = l.tls(); err != nil {
			return errors.Join(err, listener.Close())
		}
	}
	watching, stop := context.WithCancel(ctx)
	defer stop()
	go s.watch(watching)
	ended := make(chan error, 1)
	go func() {
		if l.Certificate != "" {
			ended <- server.ServeTLS(listener, "", "")
		} else {
			ended <- server.Serve(listener)
		}
	}()
	url := fmt.Sprintf("%s://%s", scheme, listener.Addr())
	s.o.Log.Info("listening", "address", url)
	if l.Started != nil {
		l.Started(url)
	}
	select {
	case err := <-ended:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	return s.drain(server, l)
}

// protocols are HTTP/1.1, and HTTP/2 with TLS and without, which calls by gRPC need.
func protocols() *http.Protocols {
	p := new(http.Protocols)
	p.SetHTTP1(true)
	p.SetHTTP2(true)
	p.SetUnencryptedHTTP2(true)
	return p
}

// drain ends a server.
func (s *Server) drain(server *http.Server, l Listening) error {
	if l.Drain == 0 {
		l.Drain = 10 * time.Second
	}
	s.ending.Store(true)
	ctx, cancel := context.WithTimeout(context.Background(), l.Drain)
	defer cancel()
	err := server.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		s.o.Log.Error("requests were given up", "after", l.Drain.String())
		return server.Close()
	}
	s.o.Log.Info("ended")
	return err
}

// tls reads the certificates.
func (l Listening) tls() (*tls.Config, error) {
	c := &certificate{files: [2]string{l.Certificate, l.Key}}
	if _, err := c.get(nil); err != nil {
		return nil, fmt.Errorf("serve: the certificate: %w", err)
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: c.get, NextProtos: []string{"h2", "http/1.1"}}
	if l.ClientCA != "" {
		text, err := os.ReadFile(l.ClientCA)
		if err != nil {
			return nil, fmt.Errorf("serve: the certificates of clients: %w", err)
		}
		config.ClientCAs, config.ClientAuth = x509.NewCertPool(), tls.RequireAndVerifyClientCert
		if !config.ClientCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("serve: %s holds no certificate in PEM", l.ClientCA)
		}
	}
	return config, nil
}

// certificate is one that is read again when its files have changed. One that cannot be read leaves
// the one before.
type certificate struct {
	files [2]string

	mu   sync.Mutex
	seen [2]fileState
	now  *tls.Certificate
}

func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	changed := false
	for i, path := range c.files {
		state, err := stateOf(path)
		if err != nil && c.now == nil {
			return nil, err
		}
		if err == nil && !state.same(c.seen[i]) {
			c.seen[i], changed = state, true
		}
	}
	if changed {
		fresh, err := tls.LoadX509KeyPair(c.files[0], c.files[1])
		switch {
		case err == nil:
			c.now = &fresh
		case c.now == nil:
			return nil, err
		}
	}
	return c.now, nil
}
