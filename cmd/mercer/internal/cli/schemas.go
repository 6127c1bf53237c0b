package cli

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"

	"example.org/mercer/cmd/mercer/internal/verb"
)

// schemas describe what each verb prints with --json, one file for a verb, as JSON Schema. They are
// written by the tests that run the documents in testdata, with -update, and hold for all of these.
//
//go:embed schemas/*.json
var schemas embed.FS

// schemaFlag asks for the schema of a verb in place of running it.
const schemaFlag = "--json-schema"

// printSchema prints the schema of the verb that arguments begin with.
func printSchema(inv *verb.Invocation, args []string) error {
	name := schemaOf(args)
	text, err := schemas.ReadFile("schemas/" + name + ".json")
	if err != nil {
		files, _ := fs.Glob(schemas, "schemas/*.json")
		for i, file := range files {
			files[i] = strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(file, "schemas/"), ".json"), "-", " ")
		}
		return verb.Usagef("%s prints the schema of a verb: mercer VERB %s, with %s", schemaFlag, schemaFlag, strings.Join(files, ", "))
	}
	_, err = fmt.Fprintf(inv.Stdout, "%s", text)
	return err
}

// schemaOf returns the name of the schema of a command line: the verb, and of geom what follows it.
func schemaOf(args []string) string {
	var words []string
	for _, arg := range args {
		if !strings.HasPrefix(arg, "-") {
			words = append(words, arg)
		}
	}
	switch {
	case len(words) == 0:
		return ""
	case words[0] == "geom" && len(words) > 1:
		return words[0] + "-" + words[1]
	}
	return words[0]
}
