package page

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"example.org/mercer/compute"
)

// Run serves the lab at an address of this machine, such as 127.0.0.1:8090, until the context ends;
// port 0 takes a free one. started is called with the address of the page.
func Run(ctx context.Context, address string, o compute.Options, started func(url string) error) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("lab: the address %q is no host and port, such as 127.0.0.1:8090: %w", address, err)
	}
	if !local(host) {
		return fmt.Errorf("lab: the address %q can be reached from other machines, and the lab has no tokens: listen at 127.0.0.1, or export a site (--export)", address)
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return fmt.Errorf("lab: %w", err)
	}
	server := &http.Server{Handler: Handler(o), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 20 * time.Second, IdleTimeout: 2 * time.Minute,
		BaseContext: func(net.Listener) context.Context { return ctx }}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	if err := started("http://" + listener.Addr().String() + "/"); err != nil {
		return errors.Join(err, server.Close())
	}
	select {
	case err := <-ended:
		return fmt.Errorf("lab: %w", err)
	case <-ctx.Done():
		return server.Close()
	}
}
