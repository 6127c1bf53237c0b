package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// Check follows every link within the site, to the place in the page where it names one, and says
// all that lead nowhere.
func (s *Site) Check() error {
	places, links := map[string]map[string]bool{}, map[string][]string{}
	for name, content := range s.files {
		if path.Ext(name) != ".html" {
			continue
		}
		root, err := html.Parse(bytes.NewReader(content))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		places[name] = map[string]bool{}
		for n := range root.Descendants() {
			for _, a := range n.Attr {
				switch a.Key {
				case "id":
					if places[name][a.Val] {
						return fmt.Errorf("%s: two places are called %q", name, a.Val)
					}
					places[name][a.Val] = true
				case "href", "src", "data-screen":
					links[name] = append(links[name], a.Val)
				}
			}
		}
	}
	var problems []error
	for _, name := range slices.Sorted(maps.Keys(links)) {
		for _, link := range links[name] {
			if err := s.follow(name, link, places); err != nil {
				problems = append(problems, err)
			}
		}
	}
	return errors.Join(problems...)
}

// follow follows one link of a page.
func (s *Site) follow(page, link string, places map[string]map[string]bool) error {
	at, err := url.Parse(link)
	if err != nil {
		return fmt.Errorf("%s: the link %q cannot be read: %w", page, link, err)
	}
	if at.Scheme != "" || at.Host != "" {
		return nil // elsewhere
	}
	to := page
	if at.Path != "" {
		to = path.Join(path.Dir(page), at.Path)
	}
	if s.lab && strings.HasPrefix(to, labFolder+"/") {
		return nil // written by the command
	}
	if s.files[to] == nil {
		return fmt.Errorf("%s: the link %q leads to no file: %s", page, link, to)
	}
	if at.Fragment != "" && places[to] != nil && !places[to][at.Fragment] {
		return fmt.Errorf("%s: the link %q leads to no place in %s", page, link, to)
	}
	return nil
}
