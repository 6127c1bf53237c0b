package open

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"example.org/mercer/data"
	"example.org/mercer/data/compiled"
)

// Shards lists the files that a pattern such as "part-*.csv" stands for, in the order of their
// names; false where the text is no pattern, or is the name of a file.
func Shards(pattern string) (paths []string, several bool) {
	if isAddress(pattern) || !strings.ContainsAny(pattern, "*?[") {
		return nil, false
	}
	if _, err := os.Stat(pattern); err == nil {
		return nil, false
	}
	paths, err := filepath.Glob(pattern)
	paths = slices.DeleteFunc(paths, func(p string) bool { return strings.HasSuffix(p, extension) })
	return paths, err == nil
}

// Shard is a compiled file that is a part of a table.
type Shard struct {
	Path string
	Of   compiled.Origin // what it was compiled from
	// Kinds are those of all columns, which only all shards together decide; nil: its own.
	Kinds []data.Kind
}

// Sharded is a table of shards, which others can open again.
type Sharded struct {
	data.Blocks
	Shards []Shard
	Made   Compiled // what became of them
	Empty  []string // files without rows, which are left out
	Here   []string // why files could not be compiled elsewhere, which were compiled here
}

// OpenShards joins compiled files, which must be those that they were.
func OpenShards(shards []Shard) (data.Blocks, error) {
	if len(shards) == 0 {
		return nil, errors.New("open: a table of no compiled files")
	}
	parts := make([]data.Blocks, len(shards))
	for i, s := range shards {
		t, err := compiled.Open(s.Path)
		if err != nil {
			return nil, err
		}
		if t.Origin() != s.Of {
			return nil, errors.Join(&data.Error{Source: s.Path, Reason: "was compiled again since the table was opened", Fix: "begin again"}, t.Close())
		}
		t.As(s.Kinds)
		parts[i] = t
	}
	return data.JoinBlocks(shards[0].Path, parts)
}

// Compiler compiles files elsewhere.
type Compiler interface {
	// Compile does compilations, or finds that they were done, and returns what became of each.
	Compile(ctx context.Context, files []Compilation) ([]Elsewhere, error)
}

// Elsewhere is what became of a file that was to be compiled elsewhere: one of both, or neither
// where nobody tried. What is not made there is compiled here, which does it or says why not.
type Elsewhere struct {
	Made *Compiled
	Why  string // it could not be
	// Words are those of its columns, by [CountWords]; nil: they are counted here.
	Words []Words
}

// CompileShards is [Compile] for the files of one table, several at a time, joined by
// [data.JoinBlocks]: one file is one shard. What the table is called stands first. A column is
// what it would be in one file with all rows: words in one shard make strings in all, and how many
// different ones decides between categories and text.
func CompileShards(ctx context.Context, name string, paths []string, folder string, o Options) (*Sharded, error) {
	return CompileShardsBy(ctx, nil, name, paths, folder, o)
}

// CompileShardsBy is [CompileShards] with the files compiled elsewhere, on a disk that this
// process sees. The table is the same, and so are errors.
func CompileShardsBy(ctx context.Context, by Compiler, name string, paths []string, folder string, o Options) (*Sharded, error) {
	s := &sharding{by: by, folder: folder, o: o}
	for _, path := range paths {
		s.parts = append(s.parts, &part{path: path})
	}
	if err := s.compile(ctx); err != nil {
		return nil, err
	}
	if err := s.agree(ctx); err != nil {
		return nil, err
	}
	out := &Sharded{Empty: s.empty, Made: s.total(), Here: s.here}
	parts := make([]data.Blocks, len(s.parts))
	for i, p := range s.parts {
		parts[i] = p.table
		out.Shards = append(out.Shards, Shard{p.table.Path(), p.table.Origin(), nil})
	}
	if len(parts) > 1 {
		kinds, err := s.kinds(ctx)
		if err != nil {
			return nil, err
		}
		for i := range kinds {
			out.Shards[i].Kinds = kinds[i]
			s.parts[i].table.As(kinds[i])
		}
	}
	var err error
	out.Blocks, err = data.JoinBlocks(name, parts)
	return out, err
}

// sharding compiles the files of a table.
type sharding struct {
	by     Compiler // nil: here
	folder string
	o      Options
	parts  []*part
	empty  []string
	here   []string
}

// part is a file with its compiled one.
type part struct {
	path  string
	types map[string]data.Kind // that are forced, besides those of the options
	table *compiled.Table      // nil: it is to be compiled
	made  *Compiled
	words []Words // of its columns; nil: they are to be counted
}

// compile compiles the files that are to be, and leaves those without rows out.
func (s *sharding) compile(ctx context.Context) error {
	var todo []*part
	var files []Compilation
	for _, p := range s.parts {
		if p.table == nil {
			todo, files = append(todo, p), append(files, s.compilation(p))
		}
	}
	elsewhere, err := s.elsewhere(ctx, files)
	if err != nil {
		return err
	}
	problems := make([]error, len(todo))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, p := range todo {
		group.Go(func() error {
			p.table, p.made, problems[i] = files[i].do(ctx, elsewhere[i].Made)
			return nil
		})
	}
	_ = group.Wait() // the first problem in the order of the files is the one to tell
	for i, err := range problems {
		switch {
		case errors.Is(err, data.ErrNoRows):
			s.empty = append(s.empty, todo[i].path)
		case err != nil:
			return err
		case elsewhere[i].Why != "":
			s.here = append(s.here, elsewhere[i].Why)
		}
		todo[i].words = elsewhere[i].Words
	}
	s.parts = slices.DeleteFunc(s.parts, func(p *part) bool { return p.table == nil })
	if len(s.parts) == 0 {
		return errors.Join(problems...)
	}
	return nil
}

// compilation says what is to be done with a file.
func (s *sharding) compilation(p *part) Compilation {
	o := s.o
	if p.types != nil {
		o.Types = maps.Clone(p.types)
		maps.Copy(o.Types, s.o.Types)
	}
	return Compilation{Path: p.path, Folder: s.folder, Options: o}
}

// elsewhere has files compiled by others, who are in folders of their own.
func (s *sharding) elsewhere(ctx context.Context, files []Compilation) ([]Elsewhere, error) {
	if s.by == nil {
		return make([]Elsewhere, len(files)), nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	sent := slices.Clone(files)
	for i := range sent {
		sent[i].Dir = dir
	}
	return s.by.Compile(ctx, sent)
}

// total says what became of all files.
func (s *sharding) total() Compiled {
	all := *s.parts[0].made
	for _, p := range s.parts[1:] {
		all.Size, all.Seconds, all.Fresh = all.Size+p.made.Size, all.Seconds+p.made.Seconds, all.Fresh || p.made.Fresh
		all.Why = cmp.Or(all.Why, p.made.Why)
		all.Files = len(s.parts)
	}
	return all
}

// agree compiles shards again that have numbers in a column where others have words.
func (s *sharding) agree(ctx context.Context) error {
	words := map[string]bool{} // columns that have some
	for _, p := range s.parts {
		for _, c := range p.table.Schema().Columns {
			words[c.Name] = words[c.Name] || c.Kind != data.Numeric
		}
	}
	again := false
	for _, p := range s.parts {
		for _, c := range p.table.Schema().Columns {
			if c.Kind != data.Numeric || !words[c.Name] {
				continue
			}
			if p.types == nil {
				p.types = map[string]data.Kind{}
			}
			p.types[c.Name] = data.Categorical
		}
		if p.types == nil {
			continue
		}
		again = true
		if err := p.table.Close(); err != nil {
			return err
		}
		p.table = nil
	}
	if !again {
		return nil
	}
	return s.compile(ctx)
}

// kinds decides which columns of strings are categories, and which are text, and returns the kinds
// of all columns of each shard.
func (s *sharding) kinds(ctx context.Context) ([][]data.Kind, error) {
	out := make([][]data.Kind, len(s.parts))
	for i, p := range s.parts {
		for _, c := range p.table.Schema().Columns {
			out[i] = append(out[i], c.Kind)
		}
	}
	for _, c := range s.parts[0].table.Schema().Columns {
		if _, forced := s.o.Types[c.Name]; forced || c.Kind == data.Numeric {
			continue
		}
		kind, err := s.kindOf(ctx, c.Name)
		if err != nil {
			return nil, err
		}
		for i, p := range s.parts {
			if own, at := p.table.Schema().Column(c.Name); own != nil && own.Kind != data.Numeric {
				out[i][at] = kind
			}
		}
	}
	return out, nil
}

// kindOf decides by the words of all shards. Where a shard has numbers in the column, or text for
// another reason than their count, the rule of package csv holds for all: a column with more
// numbers than words is text.
func (s *sharding) kindOf(ctx context.Context, name string) (data.Kind, error) {
	var all Words
	mixed := false
	for _, p := range s.parts {
		own, at := p.table.Schema().Column(name)
		if own == nil || own.Kind == data.Numeric {
			continue // joining the shards says why not
		}
		if p.words == nil {
			var err error
			if p.words, err = CountWords(ctx, p.table); err != nil {
				return 0, err
			}
		}
		here := p.words[at]
		all.merge(here)
		_, forced := p.types[name]
		kind, _ := here.Counts.Kind()
		mixed = mixed || forced || own.Kind == data.Text && kind == data.Categorical
	}
	if mixed && all.Numbers > all.Others {
		return data.Text, nil
	}
	kind, _ := all.Counts.Kind()
	return kind, nil
}

// NoShards is the error for a pattern that no file has.
func NoShards(pattern string) error {
	return &data.Error{Source: pattern, Reason: "is the name of no file", Fix: fmt.Sprintf("as a pattern it has to match files: try ls %s", pattern)}
}
