package serve

import (
	"context"
	"net/http"

	"connectrpc.com/connect"

	"example.org/mercer/model"
	"example.org/mercer/serve/oip"
	"example.org/mercer/serve/oip/pb"
)

// service is the path of the calls by gRPC.
const service = "/inference.GRPCInferenceService/"

// exchangeKey is that of the exchange in the context of a call.
type exchangeKey struct{}

// procedures are the calls of the protocol by gRPC, in HTTP/2 on the port of all others. Open ones
// ask for no token.
func (s *Server) procedures() []route {
	return []route{
		procedure(s, "ServerLive", true, func(context.Context, *exchange, *pb.Empty) (*pb.Flag, error) { return &pb.Flag{Value: true}, nil }),
		procedure(s, "ServerReady", true, func(context.Context, *exchange, *pb.Empty) (*pb.Flag, error) {
			return &pb.Flag{Value: s.ready()}, nil
		}),
		procedure(s, "ModelReady", false, s.callModelReady),
		procedure(s, "ServerMetadata", false, func(context.Context, *exchange, *pb.Empty) (*pb.Server, error) {
			return &pb.Server{Name: serverName, Version: model.Version, Extensions: extensions}, nil
		}),
		procedure(s, "ModelMetadata", false, s.callMetadata),
		procedure(s, "ModelInfer", false, s.callInfer),
		procedure(s, "RepositoryIndex", false, s.callIndex),
		procedure(s, "RepositoryModelLoad", false, s.callLoad),
		procedure(s, "RepositoryModelUnload", false, s.callUnload),
	}
}

// procedure is the route of a call. Guards and limits are those of every route; a body that is
// compressed counts as large as it is after decompression.
func procedure[Request, Answer any](s *Server, name string, open bool, answer func(context.Context, *exchange, *Request) (*Answer, error)) route {
	handler := connect.NewUnaryHandlerSimple(service+name, func(ctx context.Context, r *Request) (*Answer, error) {
		x := ctx.Value(exchangeKey{}).(*exchange)
		a, err := answer(ctx, x, r)
		if err != nil {
			x.called = err
			return nil, connect.NewError(codeOf(statusOf(err)), err)
		}
		return a, nil
	}, connect.WithCodec(pb.Codec{}), connect.WithReadMaxBytes(int(s.o.MaxBody)))
	return route{method: http.MethodPost, path: service + name, open: open, serve: func(_ *Server, x *exchange) error {
		x.Request = x.WithContext(context.WithValue(x.Context(), exchangeKey{}, x))
		handler.ServeHTTP(exchangeWriter{x}, x.Request)
		if x.called != nil { // the status of HTTP is 200 in any case
			x.status = statusOf(x.called)
		}
		return nil
	}}
}

// codeOf is the code of gRPC for a status.
func codeOf(status int) connect.Code {
	codes := map[int]connect.Code{
		http.StatusBadRequest:            connect.CodeInvalidArgument,
		http.StatusForbidden:             connect.CodePermissionDenied,
		http.StatusNotFound:              connect.CodeNotFound,
		http.StatusRequestEntityTooLarge: connect.CodeResourceExhausted,
		http.StatusUnprocessableEntity:   connect.CodeFailedPrecondition,
		http.StatusTooManyRequests:       connect.CodeResourceExhausted,
		http.StatusInternalServerError:   connect.CodeInternal,
		http.StatusServiceUnavailable:    connect.CodeUnavailable,
		http.StatusGatewayTimeout:        connect.CodeDeadlineExceeded,
		statusGone:                       connect.CodeCanceled,
	}
	if code, ok := codes[status]; ok {
		return code
	}
	return connect.CodeUnknown
}

// of returns the version that a call names.
func (x *exchange) of(m pb.Model) (*entry, *version, error) {
	e, v, err := x.s.answering(m.Name, m.Version)
	if e != nil {
		x.model = e.name
	}
	return e, v, err
}

// callModelReady says of a model that is there whether it answers.
func (s *Server) callModelReady(_ context.Context, x *exchange, m *pb.Model) (*pb.Flag, error) {
	e, _, err := x.of(*m)
	if err != nil && (e == nil || e.current.Load() != nil) {
		return nil, err
	}
	return &pb.Flag{Value: err == nil}, nil
}

func (s *Server) callMetadata(_ context.Context, x *exchange, m *pb.Model) (*pb.Metadata, error) {
	_, v, err := x.of(*m)
	if err != nil {
		return nil, err
	}
	return &pb.Metadata{Metadata: v.metadata()}, nil
}

func (s *Server) callInfer(_ context.Context, x *exchange, r *pb.Infer) (*pb.Answer, error) {
	e, v, err := x.of(r.Model)
	if err != nil {
		return nil, err
	}
	outputs, err := s.infer(x, e, v, &r.Request)
	if err != nil {
		return nil, err
	}
	a := &pb.Answer{Answer: oip.Answer{Model: v.name, Version: v.id(), ID: r.ID}, Raw: r.Raw}
	if a.Outputs, err = r.Select(outputs); err != nil {
		return nil, bad(err)
	}
	return a, nil
}

func (s *Server) callIndex(context.Context, *exchange, *pb.Empty) (*pb.Index, error) {
	var x pb.Index
	for _, of := range s.states() {
		x.Models = append(x.Models, pb.State(of))
	}
	return &x, nil
}

func (s *Server) callLoad(_ context.Context, x *exchange, m *pb.InRepository) (*pb.Empty, error) {
	return &pb.Empty{}, s.reread(x, m.Name)
}

func (s *Server) callUnload(_ context.Context, x *exchange, m *pb.InRepository) (*pb.Empty, error) {
	return &pb.Empty{}, s.forgetModel(x, m.Name)
}

// exchangeWriter is an exchange as a [http.ResponseWriter].
type exchangeWriter struct{ *exchange }

// Header is that of the answer.
func (w exchangeWriter) Header() http.Header { return w.w.Header() }

// Flush sends what is written.
func (w exchangeWriter) Flush() { _ = http.NewResponseController(w.w).Flush() }
