package store

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"example.org/mercer/internal/mapfile"
)

// A pack is a file of tiles; numbers in it are little-endian.
//
//	magic                        8 bytes
//	tiles, each at a multiple    rows·cols·width bytes each
//	of 64 from the beginning
//	index, one entry per tile    48 bytes each: key 32, offset 8, rows 1, cols 1,
//	                             width 1, zero 1, CRC-32C of the tile 4
//	footer                       32 bytes: offset of the index 8, entries 4, CRC-32C of
//	                             the index 4, zero 8, magic 8
const (
	packMagic   = "mrcTile1"
	packBytes   = 16 << 20 // of tiles, where a pack is full
	alignment   = 64
	entryBytes  = 48
	footerBytes = 32
)

// key is the address of a tile.
type key [sha256.Size]byte

// shape is the form of a tile in a pack.
type shape struct{ rows, cols, width int } // width: bytes of a number, 8 or 4

func (s shape) bytes() int { return s.rows * s.cols * s.width }

// entry is a tile in a pack.
type entry struct {
	pack   *pack
	offset int64
	shape
	sum uint32
	// verified says that the tile was found to be right, or was computed, by this process.
	verified atomic.Bool
}

// pack is a file of tiles, or one that is being filled. Its content lies in memory of
// the process until the file is written, then in the file, which is mapped when a tile
// of it is first read. A file that cannot be mapped is read, a tile at a time.
type pack struct {
	name    string // of the file, once it is written
	used    bool   // by this process; guarded by the mutex of the store
	entries map[key]*entry

	mu      sync.RWMutex // of what follows: held for writing while the memory changes
	content []byte
	unmap   func() error // nil: content is memory of the process
	file    *os.File     // nil: there is content, or none
	gone    bool         // the file cannot be read, or the store is closed
}

func newPack(bytes int) *pack {
	return &pack{name: fmt.Sprintf("%016x%s", rand.Uint64(), extension), entries: map[key]*entry{}, used: true, content: append(make([]byte, 0, bytes+side*side*8+alignment), packMagic...)}
}

// add appends a tile. Readers hold views of what is there already, which an append
// does not move: there is space for one tile beyond a full pack.
func (p *pack) add(k key, s shape, content []byte) *entry {
	p.mu.Lock()
	defer p.mu.Unlock()
	offset := (len(p.content) + alignment - 1) / alignment * alignment
	p.content = append(append(p.content, make([]byte, offset-len(p.content))...), content...)
	e := &entry{pack: p, offset: int64(offset), shape: s, sum: checksum(content)}
	e.verified.Store(true)
	p.entries[k] = e
	return e
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// writeTo writes the pack as a file.
func (p *pack) writeTo(w io.Writer) error {
	offset := len(p.content)
	var index []byte
	for k, e := range p.entries {
		index = append(index, k[:]...)
		index = binary.LittleEndian.AppendUint64(index, uint64(e.offset))
		index = append(index, byte(e.rows), byte(e.cols), byte(e.width), 0)
		index = binary.LittleEndian.AppendUint32(index, e.sum)
	}
	footer := binary.LittleEndian.AppendUint64(nil, uint64(offset))
	footer = binary.LittleEndian.AppendUint32(footer, uint32(len(p.entries)))
	footer = binary.LittleEndian.AppendUint32(footer, checksum(index))
	footer = append(append(footer, make([]byte, 8)...), packMagic...)
	for _, part := range [][]byte{p.content, index, footer} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// readPack reads the index of a file. It returns an error if the file is not a whole
// pack: cut short, of another version, or with an index that does not agree with its
// checksum.
func readPack(path, name string) (*pack, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	size, footer := info.Size(), make([]byte, footerBytes)
	if size < int64(len(packMagic)+footerBytes) {
		return nil, fmt.Errorf("%s is too short for a pack of tiles", path)
	}
	if _, err := file.ReadAt(footer, size-footerBytes); err != nil {
		return nil, err
	}
	at, count := int64(binary.LittleEndian.Uint64(footer)), int64(binary.LittleEndian.Uint32(footer[8:]))
	if string(footer[24:]) != packMagic || at < 0 || at != size-footerBytes-count*entryBytes {
		return nil, fmt.Errorf("%s does not end like a pack of tiles", path)
	}
	index := make([]byte, count*entryBytes)
	if _, err := file.ReadAt(index, at); err != nil {
		return nil, err
	}
	if checksum(index) != binary.LittleEndian.Uint32(footer[12:]) {
		return nil, fmt.Errorf("the index of %s does not agree with its checksum", path)
	}
	p := &pack{name: name, entries: make(map[key]*entry, count)}
	for ; len(index) > 0; index = index[entryBytes:] {
		e := &entry{pack: p, offset: int64(binary.LittleEndian.Uint64(index[32:])),
			shape: shape{rows: int(index[40]), cols: int(index[41]), width: int(index[42])}, sum: binary.LittleEndian.Uint32(index[44:])}
		if e.offset < 0 || e.offset > at-int64(e.bytes()) || e.offset%alignment != 0 {
			return nil, fmt.Errorf("%s: a tile at byte %d lies outside of the file", path, e.offset)
		}
		p.entries[key(index)] = e
	}
	return p, nil
}

// there reports whether the pack can be read. The caller holds the mutex.
func (p *pack) there() bool { return !p.gone && (p.content != nil || p.file != nil) }

// open maps the file of the pack, unless its content is there already. It reports
// whether there is content.
func (p *pack) open(path string) bool {
	p.mu.RLock()
	there, gone := p.there(), p.gone
	p.mu.RUnlock()
	if there || gone {
		return there
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.there() || p.gone {
		return p.there()
	}
	file, err := os.Open(path)
	if err != nil {
		p.gone = true
		return false
	}
	if p.content, p.unmap, err = mapfile.Shared(file); err != nil {
		p.file = file
		return true
	}
	_ = file.Close() // the mapping stays
	return true
}

// view calls use with the bytes from ≤ i < to of a tile. It reports whether that was
// possible: a file that became shorter or cannot be read is, where it is mapped, a fault
// of the memory, which is caught.
func (e *entry) view(from, to int, use func(content []byte)) (ok bool) {
	e.pack.mu.RLock()
	defer e.pack.mu.RUnlock()
	if e.pack.gone {
		return false
	}
	if e.pack.file != nil {
		content := make([]byte, to-from)
		if _, err := e.pack.file.ReadAt(content, e.offset+int64(from)); err != nil {
			return false
		}
		use(content)
		return true
	}
	if e.offset+int64(to) > int64(len(e.pack.content)) {
		return false
	}
	if e.pack.unmap != nil {
		defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
		defer func() {
			if fault := recover(); fault != nil {
				if _, isFault := fault.(interface{ Addr() uintptr }); !isFault {
					panic(fault)
				}
				ok = false
			}
		}()
	}
	use(e.pack.content[e.offset+int64(from) : e.offset+int64(to)])
	return true
}

// reopen lets go of the memory of a pack that was written, and maps the file.
func (p *pack) reopen(path string) {
	p.mu.Lock()
	p.content = nil
	p.mu.Unlock()
	p.open(path)
}

// release gives memory and files back.
func (p *pack) release() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var err error
	if p.unmap != nil {
		err = p.unmap()
	}
	if p.file != nil {
		err = errors.Join(err, p.file.Close())
	}
	p.content, p.unmap, p.file, p.gone = nil, nil, nil, true
	return err
}
