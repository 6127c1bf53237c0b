package engine

import (
	"errors"
	"fmt"
	"net"

	"github.com/spf13/cobra"
)

// Verbs are those that mercer has not.
func (e *Engine) Verbs() []*cobra.Command { return []*cobra.Command{newWorkers()} }

// newWorkers is the verb of a pool of workers.
func newWorkers() *cobra.Command {
	listen, public := "", false
	v := &cobra.Command{
		Use:   "workers",
		Short: "Start workers when a runner asks for them (--environment external)",
		Long: `workers waits for the runner of a cluster, and starts a process of this command for
each worker that it asks for. It stands beside each machine's TaskManager, which so needs
no image of its own: fits name it by --environment external --environment-config ADDRESS.

Who reaches the address can start processes, and these read and write files: it is one
of this machine unless --public is given.`,
		Example: `  mercer-beam workers --listen localhost:50000
  mercer-beam fit krr 'rows/part-*.csv' --target y --kernel 'linear()' --lambda 1e-3 -o m.mercer \
    --runner flink --endpoint localhost:8099 --staging /shared/staging \
    --environment external --environment-config localhost:50000`,
		Args: cobra.NoArgs,
	}
	v.Flags().StringVar(&listen, "listen", "localhost:50000", "address to wait at")
	v.Flags().BoolVar(&public, "public", false, "let other machines start workers here")
	v.RunE = func(cmd *cobra.Command, _ []string) error {
		l, err := net.Listen("tcp", listen)
		if err != nil {
			return err
		}
		if at, ok := l.Addr().(*net.TCPAddr); ok && !at.IP.IsLoopback() && !public {
			return errors.Join(fmt.Errorf("%s can be reached from other machines, which could start workers here: give an address of this machine, such as localhost:50000, or --public", l.Addr()), l.Close())
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "workers are started for those who ask at %s\n", l.Addr())
		err = Pool{Output: cmd.ErrOrStderr()}.Serve(cmd.Context(), l)
		if cmd.Context().Err() != nil {
			return nil // asked to end
		}
		return err
	}
	return v
}
