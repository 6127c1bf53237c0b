package pb

import "fmt"

// Codec reads and writes the messages of this package. It has the methods of the codec of a server
// or a client of gRPC.
type Codec struct{}

// Name is what gRPC calls the format.
func (Codec) Name() string { return "proto" }

// request is a message that can be read, and answer one that can be written.
type (
	request interface{ unmarshal(message []byte) error }
	answer  interface{ marshal() ([]byte, error) }
)

// Marshal writes a message of this package.
func (Codec) Marshal(m any) ([]byte, error) {
	a, ok := m.(answer)
	if !ok {
		return nil, fmt.Errorf("pb: %T is not written", m)
	}
	return a.marshal()
}

// Unmarshal reads a message of this package.
func (Codec) Unmarshal(message []byte, m any) error {
	r, ok := m.(request)
	if !ok {
		return fmt.Errorf("pb: %T is not read", m)
	}
	if err := r.unmarshal(message); err != nil {
		return fmt.Errorf("the message cannot be read: %w", err)
	}
	return nil
}
