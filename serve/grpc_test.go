package serve

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"connectrpc.com/connect"

	"example.org/mercer/compute"
	"example.org/mercer/serve/oip"
	"example.org/mercer/serve/oip/pb"
)

// overHTTP2 is a client without TLS.
func overHTTP2(t *testing.T) *http.Client {
	p := new(http.Protocols)
	p.SetUnencryptedHTTP2(true)
	transport := &http.Transport{Protocols: p}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// called calls a procedure of a server by gRPC, with a token where it is not empty.
func called[Request, Answer any](t *testing.T, s *served, name, token string, r *Request, o ...connect.ClientOption) (*Answer, error) {
	t.Helper()
	o = append(o, connect.WithGRPC(), connect.WithCodec(pb.Codec{}))
	client := connect.NewClient[Request, Answer](overHTTP2(t), s.url+service+name, o...)
	request := connect.NewRequest(r)
	if token != "" {
		request.Header().Set("Authorization", "Bearer "+token)
	}
	a, err := client.CallUnary(t.Context(), request)
	if err != nil {
		return nil, err
	}
	return a.Msg, nil
}

// twoKinds is a request about two rows of the model kinds.
func twoKinds(raw bool) *pb.Infer {
	return &pb.Infer{Model: pb.Model{Name: "kinds"}, Raw: raw, Request: oip.Request{ID: "7",
		Inputs: []oip.Tensor{{Name: "any", Datatype: oip.FP64, Shape: []int{2, 2}, Numbers: []float64{1, 2, 0.1, -0.25}}}}}
}

// TestCallsAgree: what is said by gRPC has the bits of what is said by HTTP, with lists and with
// bytes, compressed or not.
func TestCallsAgree(t *testing.T) {
	s := serving(t, Options{})
	p, err := s.kinds.Predict(t.Context(), tableOf(t, "x,y\n1,2\n0.1,-0.25\n"), compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := oip.OutputsOf(p)
	for _, raw := range []bool{false, true} {
		for _, o := range [][]connect.ClientOption{nil, {connect.WithSendGzip()}} {
			got, err := called[pb.Infer, pb.Answer](t, s, "ModelInfer", "", twoKinds(raw), o...)
			if err != nil {
				t.Fatal(err)
			}
			if got.Model != "kinds" || got.Version != "1" || got.ID != "7" || got.Raw != raw || len(got.Outputs) != len(want) {
				t.Fatalf("raw %v: %+v", raw, got)
			}
			for i, out := range got.Outputs {
				if out.Name != want[i].Name || !slices.Equal(out.Shape, want[i].Shape) || !slices.Equal(out.Numbers, want[i].Numbers) || !slices.Equal(out.Strings, want[i].Strings) {
					t.Errorf("raw %v: %+v, want %+v", raw, out, want[i])
				}
			}
		}
	}
	r := twoKinds(true)
	r.Outputs, r.Sets = []oip.Wanted{{Name: oip.Label}}, 0
	got, err := called[pb.Infer, pb.Answer](t, s, "ModelInfer", "", r)
	if err != nil || len(got.Outputs) != 1 || got.Outputs[0].Name != oip.Label {
		t.Errorf("one output: %+v, %v", got, err)
	}
	house := &pb.Infer{Model: pb.Model{Name: "house"}, Request: oip.Request{Interval: 0.9, Inputs: []oip.Tensor{
		{Name: "size", Datatype: oip.FP64, Shape: []int{1}, Numbers: []float64{80}},
		{Name: "rooms", Datatype: oip.Int64, Shape: []int{1, 1}, Numbers: []float64{3}},
		{Name: "place", Datatype: oip.Bytes, Shape: []int{1}, Strings: []string{"town"}}}}}
	got, err = called[pb.Infer, pb.Answer](t, s, "ModelInfer", "", house)
	if err != nil || len(got.Outputs) != 3 || got.Outputs[1].Name != oip.Lower || !(got.Outputs[1].Numbers[0] < got.Outputs[0].Numbers[0]) {
		t.Errorf("an interval: %+v, %v", got, err)
	}
}

// TestCallsOfModels: health, metadata and the repository.
func TestCallsOfModels(t *testing.T) {
	tokens := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(tokens, []byte("first\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := serving(t, Options{Tokens: tokens, Admin: true})
	for _, name := range []string{"ServerLive", "ServerReady"} {
		if f, err := called[pb.Empty, pb.Flag](t, s, name, "", &pb.Empty{}); err != nil || !f.Value {
			t.Errorf("%s without a token: %v, %v", name, f, err)
		}
	}
	about, err := called[pb.Empty, pb.Server](t, s, "ServerMetadata", "first", &pb.Empty{})
	if err != nil || about.Name != "mercer" || !slices.Contains(about.Extensions, "model_repository") {
		t.Errorf("server: %+v, %v", about, err)
	}
	d, err := called[pb.Model, pb.Metadata](t, s, "ModelMetadata", "first", &pb.Model{Name: "house", Version: "1"})
	if err != nil || len(d.Inputs) != 3 || d.Inputs[2].Datatype != oip.Bytes || !slices.Equal(d.Outputs[0].Shape, []int{-1, 1}) {
		t.Errorf("model: %+v, %v", d, err)
	}
	index, err := called[pb.Empty, pb.Index](t, s, "RepositoryIndex", "first", &pb.Empty{})
	if err != nil || len(index.Models) != 2 || index.Models[0] != (pb.State{Name: "house", Version: "1", State: "READY"}) {
		t.Errorf("repository: %+v, %v", index, err)
	}
	ready := func() bool {
		f, err := called[pb.Model, pb.Flag](t, s, "ModelReady", "first", &pb.Model{Name: "kinds"})
		if err != nil {
			t.Fatal(err)
		}
		return f.Value
	}
	kinds := &pb.InRepository{Name: "kinds"}
	if _, err := called[pb.InRepository, pb.Empty](t, s, "RepositoryModelUnload", "first", kinds); err != nil || ready() {
		t.Errorf("unload: %v", err)
	}
	if _, err := called[pb.InRepository, pb.Empty](t, s, "RepositoryModelLoad", "first", kinds); err != nil || !ready() {
		t.Errorf("load: %v", err)
	}
}

// TestCallsRefused: errors have the codes of gRPC, and say what HTTP says.
func TestCallsRefused(t *testing.T) {
	tokens := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(tokens, []byte("first\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := serving(t, Options{Tokens: tokens, MaxBody: 4096})
	long := twoKinds(true)
	long.Inputs[0].Shape, long.Inputs[0].Numbers = []int{5000, 2}, make([]float64, 10_000)
	short := twoKinds(false)
	short.Inputs[0].Shape = []int{3, 2}
	other, unknown := twoKinds(true), twoKinds(true)
	other.Outputs, unknown.Name = []oip.Wanted{{Name: "nothing"}}, "castle"
	for _, c := range []struct {
		name, token string
		r           *pb.Infer
		code        connect.Code
		says        string
	}{
		{"no token", "", twoKinds(true), connect.CodeUnauthenticated, ""},
		{"no such model", "first", unknown, connect.CodeNotFound, "castle"},
		{"no such output", "first", other, connect.CodeInvalidArgument, "there is no output"},
		{"too few numbers", "first", short, connect.CodeInvalidArgument, "has 6 values, and its contents have 4"},
		{"too long", "first", long, connect.CodeResourceExhausted, "4096"},
	} {
		for _, o := range [][]connect.ClientOption{nil, {connect.WithSendGzip()}} {
			_, err := called[pb.Infer, pb.Answer](t, s, "ModelInfer", c.token, c.r, o...)
			if connect.CodeOf(err) != c.code || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v (%v), want %v: …%s…", c.name, err, connect.CodeOf(err), c.code, c.says)
			}
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	client := connect.NewClient[pb.Infer, pb.Answer](overHTTP2(t), s.url+service+"ModelInfer", connect.WithGRPC(), connect.WithCodec(pb.Codec{}))
	if _, err := client.CallUnary(gone, connect.NewRequest(twoKinds(true))); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	s.ask(t, "POST", service+"ModelInfer", nil, "Origin", "http://evil.example").want(t, http.StatusForbidden, "")
	if text := s.ask(t, "GET", "/metrics", nil, "Authorization", "Bearer first").body; !strings.Contains(text, `code="404",model="",route="POST `+service+`ModelInfer"`) {
		t.Errorf("no count of the call that named another model in %s", grep(text, "ModelInfer"))
	}
}

// grep returns the lines with a word.
func grep(text, word string) string {
	var b bytes.Buffer
	for line := range strings.Lines(text) {
		if strings.Contains(line, word) {
			b.WriteString(line)
		}
	}
	return b.String()
}
