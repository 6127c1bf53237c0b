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
	"time"

	"golang.org/x/sync/errgroup"

	"example.org/mercer/data"
	"example.org/mercer/data/compiled"
	"example.org/mercer/internal/progress"
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
	// Columns are the kinds of all columns, which only all shards together decide; nil: its own.
	Columns []compiled.Decided
	// Continues says that the rows follow those of the shard before in one file, behind some Lines.
	Continues bool
	Lines     int
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
	var files [][]data.Blocks // of which the shards are parts
	for _, s := range shards {
		t, err := compiled.Open(s.Path)
		if err != nil {
			return nil, err
		}
		if t.Origin() != s.Of {
			return nil, errors.Join(&data.Error{Source: s.Path, Reason: "was compiled again since the table was opened", Fix: "begin again"}, t.Close())
		}
		t.As(s.Columns)
		t.After(s.Lines)
		if !s.Continues || files == nil {
			files = append(files, nil)
		}
		last := &files[len(files)-1]
		*last = append(*last, t)
	}
	parts := make([]data.Blocks, len(files))
	for i, splits := range files {
		parts[i] = splits[0]
		if len(splits) > 1 {
			var err error
			if parts[i], err = data.JoinBlocks(splits[0].Schema().Source, splits); err != nil {
				return nil, err
			}
		}
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
	Words []data.Tally
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
	s, began := &sharding{by: by, folder: folder, o: o}, time.Now()
	for _, path := range paths {
		s.parts = append(s.parts, &part{path: path})
	}
	if err := s.compile(ctx); err != nil {
		return nil, err
	}
	if err := s.agree(ctx); err != nil {
		return nil, err
	}
	if len(s.parts) > 1 {
		if err := s.decide(ctx); err != nil {
			return nil, err
		}
	}
	out := &Sharded{Empty: s.empty, Made: s.total(), Here: s.here}
	if out.Made.Fresh {
		out.Made.Seconds = time.Since(began).Seconds()
	}
	parts := make([]data.Blocks, len(s.parts))
	for i, p := range s.parts {
		var err error
		if parts[i], err = p.blocks(); err != nil {
			return nil, err
		}
		out.Shards = append(out.Shards, p.shards(len(s.parts) > 1)...)
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

// compile compiles the files that are to be, and leaves those without rows out.
func (s *sharding) compile(ctx context.Context) error {
	var todo []*part
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, p := range s.parts {
		if p.files == nil {
			todo = append(todo, p)
			group.Go(func() error {
				p.divide(ctx, s.compilation(p))
				return nil
			})
		}
	}
	_ = group.Wait()
	for again := slices.Clone(todo); len(again) > 0; {
		if err := s.compileFiles(ctx, again); err != nil {
			return err
		}
		var problems []error
		again = slices.DeleteFunc(again, func(p *part) bool {
			agreed, err := p.agree(s.forced(p))
			problems = append(problems, err)
			return agreed
		})
		if err := errors.Join(problems...); err != nil {
			return err
		}
	}
	for _, p := range todo { // the first problem in the order of the files is the one to tell
		if err := p.problem(); errors.Is(err, data.ErrNoRows) {
			s.empty = append(s.empty, p.path)
		} else if err != nil {
			return err
		}
	}
	left := slices.DeleteFunc(slices.Clone(s.parts), func(p *part) bool { return p.problem() != nil })
	if len(left) == 0 {
		problems := make([]error, len(todo))
		for i, p := range todo {
			problems[i] = p.problem()
		}
		return errors.Join(problems...)
	}
	s.parts = left
	return nil
}

// compileFiles compiles the files of parts that are to be.
func (s *sharding) compileFiles(ctx context.Context, parts []*part) error {
	var files []*file
	var sent []Compilation
	for _, p := range parts {
		for _, f := range p.files {
			if f.table == nil {
				files, sent = append(files, f), append(sent, f.Compilation)
			}
		}
	}
	elsewhere, err := s.elsewhere(ctx, sent)
	if err != nil {
		return err
	}
	read := s.reading(files, elsewhere)
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, f := range files {
		group.Go(func() error {
			c := f.Compilation
			c.Options.read = read
			f.table, f.made, f.problem = c.do(ctx, elsewhere[i].Made)
			return nil
		})
	}
	_ = group.Wait()
	read.End(ctx)
	for i, f := range files {
		if f.problem == nil && elsewhere[i].Why != "" {
			s.here = append(s.here, elsewhere[i].Why)
		}
		f.words = elsewhere[i].Words
	}
	if ctx.Err() == nil {
		return nil
	}
	for _, f := range files {
		if f.problem != nil {
			return f.problem
		}
	}
	return context.Cause(ctx)
}

// reading tells how much of the files that were not compiled elsewhere is read.
func (s *sharding) reading(files []*file, elsewhere []Elsewhere) *progress.Meter {
	var bytes int64
	for i, f := range files {
		if elsewhere[i].Made == nil {
			bytes += f.length()
		}
	}
	if bytes == 0 {
		return nil
	}
	return progress.Start(s.o.Progress, "read", bytes)
}

// compilation says what is to be done with a file.
func (s *sharding) compilation(p *part) Compilation {
	o := s.o
	o.Progress = nil // which several files tell together
	if p.types != nil {
		o.Types = maps.Clone(p.types)
		maps.Copy(o.Types, s.o.Types)
	}
	return Compilation{Path: p.path, Folder: s.folder, Options: o}
}

// forced are the columns of a part whose types are.
func (s *sharding) forced(p *part) map[string]data.Kind {
	if p.problem() != nil {
		return nil
	}
	types, err := p.schema().ResolveTypes(s.compilation(p).Options.Types)
	if err != nil {
		return nil // compiling has said so
	}
	return types
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

// total says what became of all files, but not in how many seconds.
func (s *sharding) total() Compiled {
	var all Compiled
	for _, p := range s.parts {
		for _, f := range p.files {
			all.Path, all.Why = cmp.Or(all.Path, f.made.Path), cmp.Or(all.Why, f.made.Why)
			all.Size, all.Fresh = all.Size+f.made.Size, all.Fresh || f.made.Fresh
			all.Files++
		}
	}
	if all.Files == 1 {
		all.Files = 0
	}
	return all
}

// agree compiles shards again that have numbers in a column where others have words.
func (s *sharding) agree(ctx context.Context) error {
	words := map[string]bool{} // columns that have some
	for _, p := range s.parts {
		for _, c := range p.schema().Columns {
			words[c.Name] = words[c.Name] || c.Kind != data.Numeric
		}
	}
	again := false
	for _, p := range s.parts {
		for _, c := range p.schema().Columns {
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
		if err := p.close(); err != nil {
			return err
		}
	}
	if !again {
		return nil
	}
	return s.compile(ctx)
}

// decide decides which columns of strings are categories, and which are text.
func (s *sharding) decide(ctx context.Context) error {
	kinds := map[string]data.Kind{}
	for _, c := range s.parts[0].schema().Columns {
		if _, forced := s.o.Types[c.Name]; forced || c.Kind == data.Numeric {
			continue
		}
		kind, err := s.kindOf(ctx, c.Name)
		if err != nil {
			return err
		}
		kinds[c.Name] = kind
	}
	for _, p := range s.parts {
		p.as(kinds)
	}
	return nil
}

// kindOf decides by the words of all shards. Where a shard has numbers in the column, or text for
// another reason than their count, the rule of package csv holds for all: a column with more
// numbers than words is text.
func (s *sharding) kindOf(ctx context.Context, name string) (data.Kind, error) {
	var all data.Tally
	mixed := false
	for _, p := range s.parts {
		own, at := p.schema().Column(name)
		if own == nil || own.Kind == data.Numeric {
			continue // joining the shards says why not
		}
		words, err := p.count(ctx)
		if err != nil {
			return 0, err
		}
		here := words[at]
		all.Merge(here, 0)
		_, forced := p.types[name]
		kind, _ := here.Counts.Kind()
		mixed = mixed || forced || own.Kind == data.Text && kind == data.Categorical
	}
	if mixed && all.Numbers > all.Words {
		return data.Text, nil
	}
	kind, _ := all.Counts.Kind()
	return kind, nil
}

// NoShards is the error for a pattern that no file has.
func NoShards(pattern string) error {
	return &data.Error{Source: pattern, Reason: "is the name of no file", Fix: fmt.Sprintf("as a pattern it has to match files: try ls %s", pattern)}
}
