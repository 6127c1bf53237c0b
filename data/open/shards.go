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
	"strconv"
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

// CompileShards is [Compile] for the files of one table, several at a time, joined by
// [data.JoinBlocks]: one file is one shard. What the table is called stands first. A column is
// what it would be in one file with all rows: words in one shard make strings in all, and how many
// different ones decides between categories and text.
func CompileShards(ctx context.Context, name string, paths []string, folder string, o Options) (*Sharded, error) {
	s := &sharding{folder: folder, o: o, types: make([]map[string]data.Kind, len(paths)), paths: paths}
	if err := s.compile(ctx); err != nil {
		return nil, err
	}
	if err := s.agree(ctx); err != nil {
		return nil, err
	}
	out := &Sharded{Empty: s.empty, Made: s.total()}
	parts := make([]data.Blocks, len(s.tables))
	for i, t := range s.tables {
		parts[i] = t
		out.Shards = append(out.Shards, Shard{t.Path(), t.Origin(), nil})
	}
	if len(parts) > 1 {
		kinds, err := s.kinds(ctx)
		if err != nil {
			return nil, err
		}
		for i := range kinds {
			out.Shards[i].Kinds = kinds[i]
			s.tables[i].As(kinds[i])
		}
	}
	var err error
	out.Blocks, err = data.JoinBlocks(name, parts)
	return out, err
}

// sharding compiles the files of a table.
type sharding struct {
	paths  []string
	types  []map[string]data.Kind // that are forced for a file, besides those of the options
	folder string
	o      Options
	tables []*compiled.Table
	made   []*Compiled
	empty  []string
}

// compile compiles all files, and leaves those without rows out.
func (s *sharding) compile(ctx context.Context) error {
	n := len(s.paths)
	tables, made, problems := make([]*compiled.Table, n), make([]*Compiled, n), make([]error, n)
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, path := range s.paths {
		group.Go(func() error {
			o := s.o
			if s.types[i] != nil {
				o.Types = maps.Clone(s.types[i])
				maps.Copy(o.Types, s.o.Types)
			}
			tables[i], made[i], problems[i] = Compile(ctx, path, s.folder, o)
			return nil
		})
	}
	_ = group.Wait() // the first problem in the order of the files is the one to tell
	s.tables, s.made = nil, nil
	var paths []string
	var types []map[string]data.Kind
	for i, err := range problems {
		switch {
		case errors.Is(err, data.ErrNoRows):
			s.empty = append(s.empty, s.paths[i])
		case err != nil:
			return err
		default:
			s.tables, s.made = append(s.tables, tables[i]), append(s.made, made[i])
			paths, types = append(paths, s.paths[i]), append(types, s.types[i])
		}
	}
	if len(s.tables) == 0 {
		return errors.Join(problems...)
	}
	s.paths, s.types = paths, types
	return nil
}

// total says what became of all files.
func (s *sharding) total() Compiled {
	all := *s.made[0]
	for _, c := range s.made[1:] {
		all.Size, all.Seconds, all.Fresh = all.Size+c.Size, all.Seconds+c.Seconds, all.Fresh || c.Fresh
		all.Why = cmp.Or(all.Why, c.Why)
		all.Files = len(s.made)
	}
	return all
}

// agree compiles shards again that have numbers in a column where others have words.
func (s *sharding) agree(ctx context.Context) error {
	words := map[string]bool{} // columns that have some
	for _, t := range s.tables {
		for _, c := range t.Schema().Columns {
			words[c.Name] = words[c.Name] || c.Kind != data.Numeric
		}
	}
	again := false
	for i, t := range s.tables {
		for _, c := range t.Schema().Columns {
			if c.Kind == data.Numeric && words[c.Name] {
				again = true
				if s.types[i] == nil {
					s.types[i] = map[string]data.Kind{}
				}
				s.types[i][c.Name] = data.Categorical
			}
		}
	}
	if !again {
		return nil
	}
	for _, t := range s.tables {
		if err := t.Close(); err != nil {
			return err
		}
	}
	return s.compile(ctx)
}

// kinds decides which columns of strings are categories, and which are text, and returns the kinds
// of all columns of each shard.
func (s *sharding) kinds(ctx context.Context) ([][]data.Kind, error) {
	out := make([][]data.Kind, len(s.tables))
	for i, t := range s.tables {
		for _, c := range t.Schema().Columns {
			out[i] = append(out[i], c.Kind)
		}
	}
	for _, c := range s.tables[0].Schema().Columns {
		if _, forced := s.o.Types[c.Name]; forced || c.Kind == data.Numeric {
			continue
		}
		kind, err := s.kindOf(ctx, c.Name)
		if err != nil {
			return nil, err
		}
		for i, t := range s.tables {
			if own, at := t.Schema().Column(c.Name); own != nil && own.Kind != data.Numeric {
				out[i][at] = kind
			}
		}
	}
	return out, nil
}

// kindOf counts the different cells of a column. Where a shard has numbers in it, or text for
// another reason than that count, the rule of package csv holds for all: a column with more numbers
// than words is text.
func (s *sharding) kindOf(ctx context.Context, name string) (data.Kind, error) {
	var all data.Texts
	mixed, numbers, words := false, 0, 0
	for i, t := range s.tables {
		own, at := t.Schema().Column(name)
		if own == nil || own.Kind == data.Numeric {
			continue // joining the shards says why not
		}
		var here data.Texts
		for b := range len(t.Starts()) - 1 {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			block, err := t.Block(b, []int{at})
			if err != nil {
				return 0, err
			}
			cells := block.Columns[at]
			for row, cell := range cells.Strings {
				all.Add([]byte(cell))
				here.Add([]byte(cell))
				if _, err := strconv.ParseFloat(cell, 64); err == nil {
					numbers++
				} else if !cells.IsMissing(row) {
					words++
				}
			}
			all.Take(cells.Missing)
			here.Take(cells.Missing)
		}
		_, forced := s.types[i][name]
		kind, _ := here.Kind(nil)
		mixed = mixed || forced || own.Kind == data.Text && kind == data.Categorical
	}
	if mixed && numbers > words {
		return data.Text, nil
	}
	kind, _ := all.Kind(nil)
	return kind, nil
}

// NoShards is the error for a pattern that no file has.
func NoShards(pattern string) error {
	return &data.Error{Source: pattern, Reason: "is the name of no file", Fix: fmt.Sprintf("as a pattern it has to match files: try ls %s", pattern)}
}
