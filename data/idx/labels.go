package idx

import (
	"fmt"
	"path/filepath"
	"strings"

	"example.org/mercer/data"
)

// label is the column that [Join] adds, and the only one of an array of one dimension.
const label = "label"

// Companions returns what the file with the labels of a file of images may be called: in
// train-images-idx3-ubyte.gz "images" becomes "labels" and "idx3" becomes "idx1", with .gz
// at the end and without. It is empty where the name does not speak of images.
func Companions(path string) []string {
	dir, base := filepath.Split(path)
	if !strings.Contains(base, "images") {
		return nil
	}
	base = strings.ReplaceAll(strings.ReplaceAll(base, "images", "labels"), "idx3", "idx1")
	other := base + ".gz"
	if plain, zipped := strings.CutSuffix(base, ".gz"); zipped {
		other = plain
	}
	return []string{dir + base, dir + other}
}

// Join puts the only column of labels before those of images, under the name label, and
// makes it the target that the format declares.
func Join(images, labels *data.Table) error {
	if len(labels.Columns) != 1 {
		return &data.Error{Source: labels.Source, Reason: fmt.Sprintf("has %d columns, and labels are one", len(labels.Columns)), Fix: "name the file of the labels"}
	}
	if labels.Rows() != images.Rows() {
		return &data.Error{Source: labels.Source, Reason: fmt.Sprintf("holds %d labels for the %d images of %s", labels.Rows(), images.Rows(), images.Source), Fix: "name the labels of these images"}
	}
	if _, at := images.Column(label); at >= 0 {
		return &data.Error{Source: images.Source, Reason: "holds labels itself, and no images", Fix: "name the file of the images"}
	}
	c := labels.Columns[0]
	c.Name = label
	images.Columns = append([]data.Column{c}, images.Columns...)
	images.Target = label
	return nil
}
