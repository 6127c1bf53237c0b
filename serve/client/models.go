package client

import (
	"context"
	"net/http"
	"net/url"
	"time"
)

// Model is what a server tells of a model.
type Model struct {
	Name    string    `json:"name"`
	Version string    `json:"version"`
	Ready   bool      `json:"ready"`
	Reason  string    `json:"reason"` // why it is not ready
	Method  string    `json:"method"`
	Kernel  string    `json:"kernel"`
	Inputs  []Column  `json:"inputs"` // of [Client.Model] alone
	Outputs []string  `json:"outputs"`
	Labels  []string  `json:"labels"`
	SHA256  string    `json:"sha256"` // of the file
	Loaded  time.Time `json:"loaded"`
}

// Column is one that a prediction needs.
type Column struct {
	Name   string   `json:"name"`
	Kind   string   `json:"kind"`
	Unit   string   `json:"unit"`
	Levels []string `json:"levels"`
}

// Models lists the models of the server.
func (c *Client) Models(ctx context.Context) ([]Model, error) {
	var out struct {
		Models []Model `json:"models"`
	}
	err := c.json(ctx, question{method: http.MethodGet, path: "/v1/models"}, &out)
	return out.Models, err
}

// Model tells what a model is, and which columns it takes.
func (c *Client) Model(ctx context.Context, name string) (*Model, error) {
	out := new(Model)
	return out, c.json(ctx, question{method: http.MethodGet, path: "/v1/models/" + url.PathEscape(name)}, out)
}

// Ready returns nil where all models answer, and else what the server says.
func (c *Client) Ready(ctx context.Context) error {
	var out any
	return c.json(ctx, question{method: http.MethodGet, path: "/v2/health/ready"}, &out)
}
