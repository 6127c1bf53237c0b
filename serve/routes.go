package serve

import (
	"net/http"

	"example.org/mercer/data"
	"example.org/mercer/model"
	"example.org/mercer/serve/records"
)

// route is what the server answers: a line of the mux and of the OpenAPI document.
type route struct {
	method, path string
	tag, summary string
	// open routes ask for no token.
	open bool
	// takes and gives are the media types of body and answer, each with the name of its schema;
	// takes is nil where there is no body.
	takes, gives []form
	query        []parameter
	serve        func(s *Server, x *exchange) error
}

// form is a media type and the name of a schema in the OpenAPI document; "" stands for text.
type form struct{ media, schema string }

// parameter is one of a query.
type parameter struct{ name, kind, summary string }

func inJSON(schema string) []form { return []form{{"application/json", schema}} }

const (
	protocol = "Open Inference Protocol, version 2"
	plain    = "Rows by name"
	running  = "Health and metrics"
)

// versioned is a route of a model, and the same of one of its versions.
func versioned(r route) []route {
	of := r
	of.path = "/v2/models/{model}/versions/{version}" + r.path
	of.summary += ", of a version"
	r.path = "/v2/models/{model}" + r.path
	return []route{r, of}
}

var (
	binaryForms = []form{{"application/json", "InferRequest"}, {"application/octet-stream", ""}}
	binaryGives = []form{{"application/json", "InferAnswer"}, {"application/octet-stream", ""}}
	rowForms    = []form{{records.JSON, "Rows"}, {records.Lines, ""}, {records.CSV, ""}, {records.Arrow, ""}, {records.Feather, ""}}
	rowGives    = []form{{records.JSON, "Predictions"}, {records.Lines, ""}, {records.CSV, ""}, {records.Arrow, ""}, {records.Feather, ""}}
)

// allRoutes are the routes but for the document that describes them.
func allRoutes() []route {
	routes := []route{
		{method: "GET", path: "/v2", tag: protocol, summary: "Name, version and extensions of the server", gives: inJSON("Server"), serve: describeServer},
		{method: "GET", path: "/v2/health/live", tag: protocol, summary: "Whether the server runs", open: true, gives: inJSON("Health"), serve: isLive},
		{method: "GET", path: "/v2/health/ready", tag: protocol, summary: "Whether all models answer", open: true, gives: inJSON("Health"), serve: isReady},
		{method: "POST", path: "/v2/repository/index", tag: protocol, summary: "The models and whether they answer", gives: inJSON("Repository"), serve: repositoryIndex},
		{method: "POST", path: "/v2/repository/models/{model}/load", tag: protocol, summary: "Read the file of a model again", gives: inJSON("Nothing"), serve: loadModel},
		{method: "POST", path: "/v2/repository/models/{model}/unload", tag: protocol, summary: "Let a model answer no more", gives: inJSON("Nothing"), serve: unloadModel},
		{method: "GET", path: "/v1/models", tag: plain, summary: "The models", gives: inJSON("Models"), serve: listModels},
		{method: "GET", path: "/v1/models/{model}", tag: plain, summary: "What a model is and which columns it takes", gives: inJSON("Model"), serve: tellModel},
		{method: "GET", path: "/v1/models/{model}/info", tag: plain, summary: "The same", gives: inJSON("Model"), serve: tellModel},
		{method: "POST", path: "/v1/models/{call}", tag: plain, serve: callModel}, // described call by call
		{method: "GET", path: "/livez", tag: running, summary: "Whether the server runs", open: true, gives: inJSON("Health"), serve: isLive},
		{method: "GET", path: "/readyz", tag: running, summary: "Whether all models answer", open: true, gives: inJSON("Health"), serve: isReady},
		{method: "GET", path: "/metrics", tag: running, summary: "Counters and histograms for Prometheus", gives: []form{{"text/plain", ""}}, serve: tellMetrics},
	}
	for _, r := range []route{
		{method: "GET", tag: protocol, summary: "The inputs and outputs of a model", gives: inJSON("ModelMetadata"), serve: describe},
		{method: "GET", path: "/ready", tag: protocol, summary: "Whether a model answers", gives: inJSON("ModelReady"), serve: modelReady},
		{method: "POST", path: "/infer", tag: protocol, summary: "Predict tensors", takes: binaryForms, gives: binaryGives, serve: infer},
	} {
		routes = append(routes, versioned(r)...)
	}
	return routes
}

// routes makes the handler of all routes.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	described := allRoutes()
	document := describeRoutes(described)
	described = append(described,
		route{method: "GET", path: "/openapi.json", serve: func(_ *Server, x *exchange) error { return x.send("application/json", document) }},
		route{method: "GET", path: "/v2/", serve: describeServer},
		route{method: "GET", path: "/{$}", open: true, serve: showPage},
		route{method: "", path: "/", serve: notFound})
	for _, r := range append(described, s.procedures()...) {
		pattern := r.path
		if r.method != "" {
			pattern = r.method + " " + r.path
		}
		mux.HandleFunc(pattern, s.handle(r))
	}
	return mux
}

// describeServer answers with the name of the server and what it can beside the protocol.
func describeServer(_ *Server, x *exchange) error {
	if x.URL.Path != "/v2" && x.URL.Path != "/v2/" {
		return notFound(nil, x)
	}
	return x.json(map[string]any{"name": serverName, "version": model.Version, "extensions": extensions})
}

// serverName is what the server calls itself.
const serverName = "mercer"

// extensions are those of the protocol that it has.
var extensions = []string{"binary_tensor_data", "model_repository"}

func tellMetrics(s *Server, x *exchange) error {
	s.metrics.handler().ServeHTTP(exchangeWriter{x}, x.Request)
	return nil
}

func notFound(_ *Server, x *exchange) error {
	return refuse(http.StatusNotFound, "%s %s is no address of this server: /openapi.json lists them", x.Method, data.Quote(x.URL.Path))
}
