package serve

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// authority signs certificates.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	dir         string
}

// signed writes the certificate and the key of a name, signed by the authority, or by itself where
// there is none.
func signed(t *testing.T, by *authority, dir, name string) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotBefore: time.Unix(0, 0), NotAfter: time.Unix(1<<33, 0),
		IsCA: by == nil, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	parent, signer := template, key
	if by != nil {
		parent, signer = by.certificate, by.key
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signer)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(raw)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for file, block := range map[string]*pem.Block{name + ".pem": {Type: "CERTIFICATE", Bytes: raw}, name + ".key": {Type: "EC PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(filepath.Join(dir, file), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return &authority{certificate, key, dir}
}

// client trusts the authority, and shows the certificate of a name unless that is "".
func (a *authority) client(t *testing.T, name string) *http.Client {
	t.Helper()
	config := &tls.Config{RootCAs: x509.NewCertPool()}
	config.RootCAs.AddCert(a.certificate)
	if name != "" {
		own, err := tls.LoadX509KeyPair(filepath.Join(a.dir, name+".pem"), filepath.Join(a.dir, name+".key"))
		if err != nil {
			t.Fatal(err)
		}
		config.Certificates = []tls.Certificate{own}
	}
	return &http.Client{Transport: &http.Transport{TLSClientConfig: config, DisableKeepAlives: true}}
}

// Over https a client with a certificate of the authority is answered, and others are not; a new
// certificate of the server is shown to the next connection, and a broken one is not.
func TestCertificates(t *testing.T) {
	s, dir := serving(t, Options{}), t.TempDir()
	a := signed(t, nil, dir, "authority")
	signed(t, a, dir, "server")
	signed(t, a, dir, "client")
	foreign := t.TempDir()
	signed(t, signed(t, nil, foreign, "other"), foreign, "stranger")
	file := func(name string) string { return filepath.Join(dir, name) }
	ctx, stop := context.WithCancel(t.Context())
	url, ended := make(chan string, 1), make(chan error, 1)
	go func() {
		ended <- s.Run(ctx, Listening{Address: "127.0.0.1:0", Certificate: file("server.pem"), Key: file("server.key"), ClientCA: file("authority.pem"), Started: func(at string) { url <- at }})
	}()
	at := <-url
	ready := func(c *http.Client) (*http.Response, error) {
		answer, err := c.Get(at + "/v2/health/ready")
		if err == nil {
			answer.Body.Close()
		}
		return answer, err
	}
	first, err := ready(a.client(t, "client"))
	if err != nil || first.StatusCode != http.StatusOK || !strings.HasPrefix(at, "https://") {
		t.Fatalf("%s: %v", at, err)
	}
	if _, err := ready(a.client(t, "")); err == nil {
		t.Error("a client without a certificate is answered")
	}
	stranger := &authority{a.certificate, a.key, foreign}
	if _, err := ready(stranger.client(t, "stranger")); err == nil {
		t.Error("a client of another authority is answered")
	}
	signed(t, a, dir, "server")
	second, err := ready(a.client(t, "client"))
	if err != nil || second.TLS.PeerCertificates[0].Equal(first.TLS.PeerCertificates[0]) {
		t.Errorf("the new certificate is not shown: %v", err)
	}
	if err := os.WriteFile(file("server.pem"), []byte("none"), 0o600); err != nil {
		t.Fatal(err)
	}
	third, err := ready(a.client(t, "client"))
	if err != nil || !third.TLS.PeerCertificates[0].Equal(second.TLS.PeerCertificates[0]) {
		t.Errorf("a broken certificate took the place of one: %v", err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if err := s.Run(t.Context(), Listening{Address: "127.0.0.1:0", Certificate: file("server.pem"), Key: file("server.key")}); err == nil {
		t.Error("a server begins with a broken certificate")
	}
}
