package verb

import (
	"fmt"

	"github.com/spf13/cobra"

	"example.org/mercer/compute"
	"example.org/mercer/gram/store"
)

// Cached gives a verb that computes Gram matrices the flags of the store of tiles. The
// store is open while the verb runs; what it was good for is told at the end.
func (inv *Invocation) Cached(cmd *cobra.Command) *cobra.Command {
	var dir, size string
	defer ResumeGroup.Claim(cmd.Flags())()
	cmd.Flags().StringVar(&dir, "cache", "", "keep costly distances and kernel values in this folder, for other runs; results are the same")
	cmd.Flags().StringVar(&size, "cache-size", "", fmt.Sprintf("size of that folder, such as 2GiB, beyond which what was used least recently is removed; default %s", compute.FormatBytes(store.DefaultMaxBytes)))
	_ = cmd.MarkFlagDirname("cache")
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		o := store.Options{Dir: dir}
		if size != "" {
			var err error
			if o.MaxBytes, err = compute.ParseBytes(size); err != nil {
				return Usagef("--cache-size: %w", err)
			}
			if dir == "" {
				return Usagef("--cache-size is the size of a folder that --cache names")
			}
		}
		if dir == "" {
			return run(cmd, args)
		}
		s, err := store.Open(o)
		if err != nil {
			return fmt.Errorf("--cache: %w", err)
		}
		inv.store, inv.CacheDir = s, dir
		err = run(cmd, args)
		_ = s.Close() // what could not be written is in the notes, and no reason to fail
		inv.tellCache(s.Stats())
		return err
	}
	return cmd
}

// tellCache says what the store was good for.
func (inv *Invocation) tellCache(s store.Stats) {
	for _, n := range s.Notes {
		inv.Note("cache: %s", n)
	}
	if s.Damaged+s.Stale > 0 {
		inv.Note("cache: %d tiles were damaged and %d out of date; they were computed again", s.Damaged, s.Stale)
	}
	if s.Hits+s.Misses == 0 {
		inv.Detail("cache: nothing was kept: these kernels cost less to compute than to read, or there are few rows")
		return
	}
	inv.Detail("cache: %d tiles read (%s), %d computed and kept (%s written), %s removed; the folder has %s", s.Hits, compute.FormatBytes(s.Read),
		s.Misses, compute.FormatBytes(s.Written), compute.FormatBytes(s.Evicted), compute.FormatBytes(s.Size))
}
