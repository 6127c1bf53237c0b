package pb

import (
	"maps"
	"slices"

	"example.org/mercer/serve/oip"
)

// Empty is a message without content.
type Empty struct{}

func (*Empty) unmarshal(m []byte) error { return each(m, func(field) error { return nil }) }

func (*Empty) marshal() ([]byte, error) { return nil, nil }

// Flag is the answer whether something lives or is ready.
type Flag struct{ Value bool }

func (f *Flag) unmarshal(m []byte) error {
	return each(m, func(of field) error {
		if of.number == 1 {
			f.Value = of.value != 0
		}
		return nil
	})
}

func (f *Flag) marshal() ([]byte, error) {
	var m message
	m.flag(1, f.Value)
	return m, nil
}

// Model names a model and a version of it; "" is the one that answers.
type Model struct{ Name, Version string }

func (n *Model) unmarshal(m []byte) error {
	return each(m, func(f field) error {
		switch f.number {
		case 1:
			n.Name = f.text()
		case 2:
			n.Version = f.text()
		}
		return nil
	})
}

func (n *Model) marshal() ([]byte, error) {
	var m message
	m.text(1, n.Name)
	m.text(2, n.Version)
	return m, nil
}

// Server describes a server.
type Server struct {
	Name, Version string
	Extensions    []string
}

func (s *Server) unmarshal(m []byte) error {
	return each(m, func(f field) error {
		switch f.number {
		case 1:
			s.Name = f.text()
		case 2:
			s.Version = f.text()
		case 3:
			s.Extensions = append(s.Extensions, f.text())
		}
		return nil
	})
}

func (s *Server) marshal() ([]byte, error) {
	var m message
	m.text(1, s.Name)
	m.text(2, s.Version)
	m.texts(3, s.Extensions)
	return m, nil
}

// Metadata describes a model.
type Metadata struct{ oip.Metadata }

func (d *Metadata) unmarshal(m []byte) error {
	return each(m, func(f field) (err error) {
		switch f.number {
		case 1:
			d.Name = f.text()
		case 2:
			d.Versions = append(d.Versions, f.text())
		case 3:
			d.Platform = f.text()
		case 4:
			d.Inputs, err = described(d.Inputs, f.bytes)
		case 5:
			d.Outputs, err = described(d.Outputs, f.bytes)
		}
		return err
	})
}

// described appends the description of a tensor.
func described(to []oip.Described, m []byte) ([]oip.Described, error) {
	var d oip.Described
	err := each(m, func(f field) (err error) {
		switch f.number {
		case 1:
			d.Name = f.text()
		case 2:
			d.Datatype = oip.Datatype(f.text())
		case 3:
			d.Shape, err = f.ints(d.Shape)
		}
		return err
	})
	return append(to, d), err
}

func (d *Metadata) marshal() ([]byte, error) {
	var m message
	m.text(1, d.Name)
	m.texts(2, d.Versions)
	m.text(3, d.Platform)
	for i, all := range [][]oip.Described{d.Inputs, d.Outputs} {
		for _, of := range all {
			var t message
			t.text(1, of.Name)
			t.text(2, string(of.Datatype))
			t.packed(3, of.Shape)
			m.bytes(4+fieldNumber(i), t)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(d.Parameters)) {
		var e message
		e.text(1, key)
		e.text(2, d.Parameters[key])
		m.bytes(6, e)
	}
	return m, nil
}

// InRepository names a model of a repository.
type InRepository struct{ Name string }

func (r *InRepository) unmarshal(m []byte) error {
	return each(m, func(f field) error {
		if f.number == 2 {
			r.Name = f.text()
		}
		return nil
	})
}

func (r *InRepository) marshal() ([]byte, error) {
	var m message
	m.text(2, r.Name)
	return m, nil
}

// Index lists the models of a repository.
type Index struct{ Models []State }

// State is that of a model: READY or UNAVAILABLE, with the reason.
type State struct{ Name, Version, State, Reason string }

func (x *Index) unmarshal(m []byte) error {
	return each(m, func(f field) error {
		if f.number != 1 {
			return nil
		}
		var s State
		err := each(f.bytes, func(f field) error {
			if to := []*string{&s.Name, &s.Version, &s.State, &s.Reason}; f.number >= 1 && int(f.number) <= len(to) {
				*to[f.number-1] = f.text()
			}
			return nil
		})
		x.Models = append(x.Models, s)
		return err
	})
}

func (x *Index) marshal() ([]byte, error) {
	var m message
	for _, s := range x.Models {
		var of message
		for i, text := range []string{s.Name, s.Version, s.State, s.Reason} {
			of.text(1+fieldNumber(i), text)
		}
		m.bytes(1, of)
	}
	return m, nil
}
