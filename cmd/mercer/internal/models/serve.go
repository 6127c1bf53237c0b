package models

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/compute"
	"example.org/mercer/serve"
)

// serveFlags are those of the verb serve.
type serveFlags struct {
	serve.Options
	serve.Listening
	body string
	log  string
}

func (f *serveFlags) register(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&f.Address, "listen", "127.0.0.1:8080", "host and port; port 0 takes a free one")
	fs.BoolVar(&f.Public, "public", false, "let other machines in without tokens or certificates of clients")
	fs.StringVar(&f.Tokens, "tokens", "", "file of bearer tokens, one in a line; read again when it changes")
	fs.StringVar(&f.Certificate, "tls-cert", "", "file of a certificate, for https; read again when it changes")
	fs.StringVar(&f.Key, "tls-key", "", "file of the key of the certificate")
	fs.StringVar(&f.ClientCA, "client-ca", "", "file of certificates that must have signed those of clients")
	fs.StringSliceVar(&f.Hosts, "host", nil, "names by which the server may be called; default on this machine: localhost")
	fs.BoolVar(&f.Admin, "admin", false, "let requests with a token load and unload models")
	fs.BoolVar(&f.SchemaChange, "schema-change", false, "let a file replace a model that has other columns")
	fs.DurationVar(&f.Watch, "watch", 2*time.Second, "how often to look whether model files have changed; negative: on SIGHUP alone")
	fs.DurationVar(&f.Timeout, "timeout", 30*time.Second, "time of a request")
	fs.DurationVar(&f.Drain, "drain", 10*time.Second, "time that requests have to end when the server is stopped")
	fs.StringVar(&f.body, "max-body", "64MiB", "size of a request after decompression")
	fs.IntVar(&f.MaxRows, "max-rows", 1_000_000, "rows of a request")
	fs.IntVar(&f.Concurrency, "concurrency", 0, "predictions at a time; 0: one for each core")
	fs.IntVar(&f.Queue, "queue", 1024, "requests that wait for a model; beyond, clients are told to come again")
	fs.StringVar(&f.log, "log", "text", "lines on standard error about requests and models: text, json, or off")
	verb.Choices(cmd, "log", []string{"text", "json", "off"})
}

// NewServe makes the verb serve.
func NewServe(inv *verb.Invocation) *cobra.Command {
	f := &serveFlags{}
	cmd := &cobra.Command{
		Use:   "serve [NAME=]MODEL… | FOLDER",
		Short: "Answer requests over HTTP with the predictions of models",
		Long: `serve answers by two interfaces. The Open Inference Protocol, version 2, is what clients of KServe and Triton speak: tensors in
JSON or binary form at /v2/models/NAME/infer, and by gRPC on the same port. Rows by the names of their columns, in JSON or CSV, go to
/v1/models/NAME:predict, and so do :intervals, :sets, :probabilities and :explain. /openapi.json describes both, /metrics is
for Prometheus.

A model is called as its file without the ending, or as NAME= says. Of a folder all files *.mercer are served, as they come and go.
A file that has changed replaces its model when it is whole, predicts its self-test rows as it did when it was made, and has
the same columns; until then, and else, the model before goes on. Requests that wait at the same time are predicted together,
which changes no bit of an answer.

The server listens for this machine alone unless --listen says otherwise, and for others only with --tokens, --client-ca, or
--public. SIGTERM ends it: what has begun is answered. SIGHUP reads models and tokens again.`,
		Example: `  mercer serve house.mercer
  mercer serve prices=house.mercer kinds.mercer --listen 127.0.0.1:9000
  mercer serve models/ --listen 0.0.0.0:8443 --tls-cert cert.pem --tls-key key.pem --tokens tokens.txt
  curl -s localhost:8080/v1/models/house:predict -d '{"rows":[{"size":80,"rooms":3}]}'`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd.Context(), inv, args) },
	}
	f.register(cmd)
	return inv.Prints(cmd, listening{})
}

// listening is what `mercer serve --json` prints when it listens.
type listening struct {
	Address string   `json:"address"`
	Models  []string `json:"models"`
}

func (l listening) Text(w io.Writer) {
	fmt.Fprintf(w, "%s serves %s\n", l.Address, strings.Join(l.Models, ", "))
}

// run serves until the context ends.
func (f *serveFlags) run(ctx context.Context, inv *verb.Invocation, args []string) (err error) {
	if (f.Certificate == "") != (f.Key == "") {
		return verb.Usagef("--tls-cert and --tls-key belong together: give both, or neither")
	}
	if f.ClientCA != "" && f.Certificate == "" {
		return verb.Usagef("--client-ca looks at certificates of clients, which come by https alone: give --tls-cert and --tls-key")
	}
	if f.MaxBody, err = compute.ParseBytes(f.body); err != nil {
		return verb.Usagef("--max-body: %w", err)
	}
	f.MaxMemory = inv.Limit()
	if err := f.sources(args); err != nil {
		return err
	}
	if f.Log, err = logger(inv, f.log); err != nil {
		return err
	}
	s, err := serve.New(ctx, f.Options)
	if err != nil {
		return err
	}
	again := make(chan os.Signal, 1)
	signal.Notify(again, hangup)
	defer func() { // in this order: a signal is sent to no closed channel
		signal.Stop(again)
		close(again)
	}()
	go func() {
		for range again {
			s.Reload(ctx)
		}
	}()
	var failed error
	f.Started = func(url string) { failed = inv.Emit(listening{url, s.Names()}) }
	if err := s.Run(ctx, f.Listening); err != nil {
		return err
	}
	return failed
}

// sources makes model files and a folder of the arguments.
func (f *serveFlags) sources(args []string) error {
	for _, arg := range args {
		name, path, named := strings.Cut(arg, "=")
		if !named {
			path = arg
			name = strings.TrimSuffix(filepath.Base(arg), filepath.Ext(arg))
		}
		info, err := os.Stat(path)
		switch {
		case err != nil:
			return err
		case !info.IsDir():
			f.Models = append(f.Models, serve.Source{Name: name, Path: path})
		case f.Folder != "" || named:
			return verb.Usagef("%s is a folder: give one folder of models, without a name, and files beside it", path)
		default:
			f.Folder = path
		}
	}
	return nil
}

// logger writes what happens to standard error.
func logger(inv *verb.Invocation, form string) (*slog.Logger, error) {
	o := &slog.HandlerOptions{}
	if inv.Verbose {
		o.Level = slog.LevelDebug
	}
	switch {
	case form == "off" || inv.Quiet:
		o.Level = slog.LevelError
		return slog.New(slog.NewTextHandler(inv.Stderr, o)), nil
	case form == "json":
		return slog.New(slog.NewJSONHandler(inv.Stderr, o)), nil
	case form == "text":
		return slog.New(slog.NewTextHandler(inv.Stderr, o)), nil
	}
	return nil, verb.Usagef("--log is %q: use text, json or off", form)
}
