package engine

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/container/tools"
	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
)

// Worker runs the process as a worker, if a runner has started it as one, and then does not
// return.
//
// A runner starts the command with the address of its provision service. That tells the
// addresses for logs and control, and the options of the pipeline, with which the harness of
// Beam begins.
func Worker(args []string) {
	is := func(name string) bool {
		return slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(strings.TrimLeft(a, "-"), name+"=") })
	}
	if !is("provision_endpoint") && !is("worker") {
		return
	}
	if err := harness(args); err != nil {
		fmt.Fprintln(os.Stderr, "mercer-beam: worker:", err)
		os.Exit(1)
	}
}

// harness begins the harness of Beam.
func harness(args []string) error {
	values := map[string]string{}
	for _, a := range args {
		name, value, _ := strings.Cut(strings.TrimLeft(a, "-"), "=")
		values[name] = strings.Trim(value, "'") // some runners quote it
	}
	ctx := grpcx.WriteWorkerID(context.Background(), values["id"])
	if at := values["provision_endpoint"]; at != "" {
		info, err := tools.ProvisionInfo(ctx, at)
		if err != nil {
			return err
		}
		options, err := tools.ProtoToJSON(info.GetPipelineOptions())
		if err != nil {
			return err
		}
		values["options"] = options
		if s := info.GetStatusEndpoint().GetUrl(); s != "" {
			if err := os.Setenv("STATUS_ENDPOINT", s); err != nil {
				return err
			}
		}
		if err := os.Setenv("RUNNER_CAPABILITIES", strings.Join(info.GetRunnerCapabilities(), " ")); err != nil {
			return err
		}
		if values["logging_endpoint"] == "" {
			values["logging_endpoint"] = info.GetLoggingEndpoint().GetUrl()
		}
		if values["control_endpoint"] == "" {
			values["control_endpoint"] = info.GetControlEndpoint().GetUrl()
		}
	}
	for name, value := range map[string]string{"worker": "true", "id": values["id"], "options": values["options"], "logging_endpoint": values["logging_endpoint"], "control_endpoint": values["control_endpoint"]} {
		if err := flag.Set(name, value); err != nil {
			return err
		}
	}
	if err := flag.CommandLine.Parse(nil); err != nil {
		return err
	}
	beam.Init() // ends the process
	return nil
}
