package serve

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
)

// tokens are the bearer tokens that are let in.
type tokens struct {
	path   string
	hashes atomic.Pointer[[][sha256.Size]byte]
}

// readTokens reads the tokens of a file; nil where there is none.
func readTokens(path string) (*tokens, error) {
	if path == "" {
		return nil, nil
	}
	t := &tokens{path: path}
	return t, t.read()
}

// read reads the file again. A file without a token changes nothing: nobody would be let in.
func (t *tokens) read() error {
	if t == nil {
		return nil
	}
	text, err := os.ReadFile(t.path)
	if err != nil {
		return fmt.Errorf("serve: tokens: %w", err)
	}
	var hashes [][sha256.Size]byte
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		if line := strings.TrimSpace(lines.Text()); line != "" && line[0] != '#' {
			hashes = append(hashes, sha256.Sum256([]byte(line)))
		}
	}
	if len(hashes) == 0 {
		return fmt.Errorf("serve: %s holds no token: write one in a line", t.path)
	}
	t.hashes.Store(&hashes)
	return nil
}

// admit reports whether the value of the header Authorization has one of the tokens. It takes as
// long for each wrong one: digests are compared, all of them, in constant time.
func (t *tokens) admit(header string) bool {
	if t == nil {
		return true
	}
	scheme, token, found := strings.Cut(header, " ")
	given, ok := sha256.Sum256([]byte(strings.TrimSpace(token))), 0
	for _, h := range *t.hashes.Load() {
		ok |= subtle.ConstantTimeCompare(h[:], given[:])
	}
	return found && strings.EqualFold(scheme, "bearer") && ok == 1
}
