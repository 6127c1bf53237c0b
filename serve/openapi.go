package serve

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"maps"
	"regexp"
	"strings"

	"example.org/mercer/model"
	"example.org/mercer/serve/records"
)

// schemas are those of bodies and answers, by their names.
//
//go:embed schemas.json
var schemas []byte

// page shows the routes to people, and is made of the document.
//
//go:embed page.html
var page []byte

// policy lets the page run its own script and reach this server, and nothing else.
var policy = func() string {
	_, after, _ := strings.Cut(string(page), "<script>")
	script, _, _ := strings.Cut(after, "</script>")
	sum := sha256.Sum256([]byte(script))
	return "default-src 'none'; connect-src 'self'; style-src 'unsafe-inline'; script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}()

// showPage answers with it.
func showPage(_ *Server, x *exchange) error {
	x.w.Header().Set("Content-Security-Policy", policy)
	return x.send("text/html; charset=utf-8", page)
}

// placeholder is a part of a path that stands for a name.
var placeholder = regexp.MustCompile(`\{([a-z]+)\}`)

// describeRoutes writes the OpenAPI document, version 3.1, of routes: made from the list that the
// mux is made of.
func describeRoutes(routes []route) []byte {
	var components map[string]any
	if err := json.Unmarshal(schemas, &components); err != nil {
		panic(err) // it is part of the program, and tested
	}
	paths := map[string]map[string]any{}
	add := func(r route) {
		if paths[r.path] == nil {
			paths[r.path] = map[string]any{}
		}
		paths[r.path][strings.ToLower(r.method)] = r.describe()
	}
	for _, r := range routes {
		if !strings.Contains(r.path, "{call}") {
			add(r)
			continue
		}
		for _, c := range calls {
			add(c.route(r))
		}
		add(route{method: "POST", path: "/v1/models/{model}:verify", tag: r.tag, summary: "Let a model predict the rows that it tests itself by", gives: inJSON("Verification")})
	}
	text, err := json.Marshal(map[string]any{
		"openapi": "3.1.0",
		"info": map[string]any{"title": "mercer", "version": model.Version, "description": "Predictions of kernel methods over HTTP.",
			"license": map[string]any{"name": "Apache License, Version 2.0", "identifier": "Apache-2.0"}},
		"paths":      paths,
		"components": map[string]any{"schemas": components, "securitySchemes": map[string]any{"token": map[string]any{"type": "http", "scheme": "bearer"}}},
	})
	if err != nil {
		panic(err) // maps of strings
	}
	return text
}

// route describes a call as a route of its own.
func (c call) route(of route) route {
	r := route{method: of.method, path: strings.Replace(of.path, "{call}", "{model}:"+c.name, 1), tag: of.tag, summary: c.summary, takes: rowForms, gives: rowGives,
		query: []parameter{{"version", "string", "the version that is to answer"}}}
	switch c.name {
	case "explain":
		r.gives = inJSON("Explanations")
		r.query = append(r.query, parameter{"by", "string", listed(maps.Keys(explanations))},
			parameter{"top", "integer", "how many parts are listed; 0: all"}, parameter{"output", "string", "the only output that is explained"})
	case "predict", "intervals", "sets":
		r.query = append(r.query, parameter{"interval", "number", "coverage of bounds, such as 0.9"}, parameter{"sets", "number", "coverage of label sets, such as 0.9"})
	}
	return r
}

// describe is a route as an operation of the document.
func (r route) describe() map[string]any {
	operation := map[string]any{"tags": []string{r.tag}, "summary": r.summary, "operationId": r.id()}
	var parameters []any
	for _, name := range placeholder.FindAllStringSubmatch(r.path, -1) {
		parameters = append(parameters, map[string]any{"name": name[1], "in": "path", "required": true, "schema": map[string]any{"type": "string"}})
	}
	for _, p := range r.query {
		parameters = append(parameters, map[string]any{"name": p.name, "in": "query", "description": p.summary, "schema": map[string]any{"type": p.kind}})
	}
	if parameters != nil {
		operation["parameters"] = parameters
	}
	if r.takes != nil {
		operation["requestBody"] = map[string]any{"required": true, "content": content(r.takes)}
	}
	failed := map[string]any{"description": "what is wrong", "content": content(inJSON("Error"))}
	operation["responses"] = map[string]any{"200": map[string]any{"description": "done", "content": content(r.gives)}, "default": failed}
	if !r.open {
		operation["security"] = []any{map[string]any{"token": []string{}}, map[string]any{}}
	}
	return operation
}

// id names an operation by its method and path.
func (r route) id() string {
	words := strings.FieldsFunc(r.path, func(c rune) bool { return strings.ContainsRune("/{}:", c) })
	return strings.ToLower(r.method) + "_" + strings.Join(words, "_")
}

// isBinary reports whether a media type is none of text.
func isBinary(media string) bool {
	return media == "application/octet-stream" || media == records.Arrow || media == records.Feather
}

// content is media types with their schemas.
func content(forms []form) map[string]any {
	all := map[string]any{}
	for _, f := range forms {
		switch {
		case f.schema == "" && isBinary(f.media): // as generators of clients read it
			all[f.media] = map[string]any{"schema": map[string]any{"type": "string", "format": "binary"}}
		case f.schema == "":
			all[f.media] = map[string]any{"schema": map[string]any{"type": "string"}}
		default:
			all[f.media] = map[string]any{"schema": map[string]any{"$ref": "#/components/schemas/" + f.schema}}
		}
	}
	return all
}
