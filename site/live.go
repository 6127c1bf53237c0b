package main

import (
	"fmt"
	"html"
	"net/url"
	"path"
	"regexp"
	"strings"
)

// live are the figures of which the lab has a screen: names of pictures, with the state of the
// screen that shows the same.
var live = map[string]string{
	"lift":           "boundary?kernel=poly(degree=2, offset=1)&c=100",
	"gram":           "gram?kernel=rbf(sigma=1)",
	"bumps":          "workshop?kernel=rbf(sigma=0.7)",
	"min-kernel":     "workshop?kernel=min()",
	"depth":          "workshop?kernel=ntk(depth=3)",
	"barycentres":    "boundary?method=kfda&kernel=rbf(sigma=0.7)",
	"trie":           "words?k=3",
	"norms":          "curve?parts=true",
	"centring":       "gram?centre=true",
	"krr":            "curve?kernel=rbf(sigma=1)&lambda=0.001",
	"classes":        "boundary?method=klr&kernel=rbf(sigma=0.7)",
	"pca":            "components?kernel=linear()&components=2",
	"kpca-clusters":  "components?kernel=rbf(sigma=0.25)&components=8",
	"kpca-circles":   "components?kernel=rbf(sigma=0.25)",
	"kmeans":         "clusters?method=kmeans",
	"kernel-kmeans":  "clusters?method=kernel-kmeans&kernel=rbf(sigma=0.3)",
	"em":             "clusters?method=gmm",
	"gp-mcycle":      "curve?method=gp&samples=3",
	"svc-iris":       "boundary?method=svc",
	"klr-iris":       "boundary?method=klr",
	"kfda-iris":      "boundary?method=kfda",
	"heat":           "gram?centre=false",
	"kmeans-rings":   "clusters?method=kmeans&steps=1",
	"spectral-rings": "clusters?method=spectral",
	"krr-path":       "curve?lambda=0.001",
	"eigenfunctions": "workshop?kernel=min()&draws=6",
	"gauss-distance": "workshop?kernel=rbf(sigma=1)",
	"gmm-faithful":   "clusters?method=gmm&clusters=2",
	"logistic":       "boundary?method=klr&lambda=0.01",
	"mmd-iris":       "gram?kernel=rbf(sigma=0.5)",
}

// picture is a picture that stands alone in its paragraph.
var picture = regexp.MustCompile(`<p>(<img src="([^"]+)"[^>]*>)</p>`)

// alive puts a button below the pictures of which the lab has a screen. Without the lab, and
// without scripts in the browser, they are pictures.
func (s *Site) alive(page, body string) string {
	if !s.lab {
		return body
	}
	return picture.ReplaceAllStringFunc(body, func(found string) string {
		of := picture.FindStringSubmatch(found)
		state, ok := live[strings.TrimSuffix(path.Base(of[2]), path.Ext(of[2]))]
		if !ok {
			return found
		}
		return fmt.Sprintf(`<figure>%s<figcaption><button type="button" class="live" data-screen="%s" hidden>Make it live</button></figcaption></figure>`,
			of[1], html.EscapeString(relative(page, labFolder+"/index.html")+"#"+address(state)))
	})
}

// address writes the state of a screen as the lab does.
func address(state string) string {
	screen, query, _ := strings.Cut(state, "?")
	values := url.Values{}
	for part := range strings.SplitSeq(query, "&") {
		if name, value, ok := strings.Cut(part, "="); ok {
			values.Set(name, value)
		}
	}
	return screen + "?" + values.Encode()
}
