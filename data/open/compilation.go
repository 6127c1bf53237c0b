package open

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"time"

	"example.org/mercer/data/compiled"
)

// Compilation says what [Compile] does with a file. It is a value that can be sent to a process in
// another folder, or on another machine with the same disk: what it makes there is the same, byte
// for byte, and so are errors.
type Compilation struct {
	Path   string
	Folder string // of the compiled file; "": that of the file
	// Dir is the folder in which relative paths begin; "": that of the process.
	Dir string
	// Copy is a file with the same content and time, which is read in place of the one at Path;
	// "": that is read. Names, errors and the compiled file are those of Path.
	Copy    string
	Options Options
	// Split is the part of the file that is compiled; nil: all of it.
	Split *Split
}

// sent is a compilation as it is sent. Options leave out the columns of nobody, as a compiled file
// has the same name with them and without.
type sent struct {
	Path, Folder, Dir, Copy string
	Options                 Options
	Unused                  []string
	Split                   *Split
}

// MarshalBinary writes the compilation for [Compilation.UnmarshalBinary].
func (c Compilation) MarshalBinary() ([]byte, error) {
	o := c.Options.named()
	o.Budget = c.Options.Budget
	return json.Marshal(sent{c.Path, c.Folder, c.Dir, c.Copy, o, c.Options.Unused, c.Split})
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (c *Compilation) UnmarshalBinary(text []byte) error {
	var s sent
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	*c = Compilation{s.Path, s.Folder, s.Dir, s.Copy, s.Options, s.Split}
	c.Options.Unused = s.Unused
	return nil
}

// Do compiles the file, or finds its compiled file.
func (c Compilation) Do(ctx context.Context) (*compiled.Table, *Compiled, error) {
	return c.do(ctx, nil)
}

// do is Do where others may have done it a moment ago: then the sums of the blocks are known to be
// right.
func (c Compilation) do(ctx context.Context, done *Compiled) (*compiled.Table, *Compiled, error) {
	s, o, of, err := c.source(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer s.close()
	into := &Compiled{Path: c.into(of)}
	t, why := s.reuse(ctx, o.at(into.Path), of, done == nil)
	switch {
	case t == nil:
		into.Fresh, into.Why = true, why
		began := time.Now()
		if t, err = s.compile(ctx, o.at(into.Path), of, o); err != nil {
			return nil, nil, err
		}
		into.Seconds = time.Since(began).Seconds()
	case done != nil:
		into.Fresh, into.Seconds, into.Why = done.Fresh, done.Seconds, done.Why
	}
	if into.Size, err = t.Size(); err != nil {
		return nil, nil, errors.Join(err, t.Close())
	}
	return t, into, ctx.Err()
}

// source opens the file, and returns what its compiled file must be made from.
func (c Compilation) source(ctx context.Context) (s *source, o Options, of compiled.Origin, err error) {
	if err := c.Options.canPass(c.Path); err != nil {
		return nil, o, of, err
	}
	o = c.Options.accounted()
	o.passes, o.dir, o.copy = true, c.Dir, c.Copy
	if s, err = openSource(ctx, c.Path, o); err != nil {
		return nil, o, of, err
	}
	s.split = c.Split
	if of, err = s.origin(o); err != nil {
		s.close()
	}
	return s, o, of, err
}

// Find returns where the compiled file lies, or will, and whether there is one of the file.
func (c Compilation) Find(ctx context.Context) (path string, there bool, err error) {
	s, o, of, err := c.source(ctx)
	if err != nil {
		return "", false, err
	}
	defer s.close()
	path = o.at(c.into(of))
	t, _ := s.reuse(ctx, path, of, false)
	if t == nil {
		return path, false, nil
	}
	return path, true, t.Close()
}

// into is the path of the compiled file, of which the first letters of the digest of the options
// are a part, and the number of a split.
func (c Compilation) into(of compiled.Origin) string {
	path := c.Path
	if c.Folder != "" {
		path = filepath.Join(c.Folder, filepath.Base(path))
	}
	return path + "." + of.Options[:8] + c.Split.suffix() + extension
}

// at returns the place of a path.
func (o Options) at(path string) string {
	if o.dir == "" || path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(o.dir, path)
}

// named returns the options that name a compiled file, and can be written as JSON.
func (o Options) named() Options {
	o.Stdin, o.Keep = nil, nil // there are no bags
	o.Budget, o.LibSVM.Budget = 0, nil
	if len(o.Types) == 0 {
		o.Types = nil
	}
	return o
}
