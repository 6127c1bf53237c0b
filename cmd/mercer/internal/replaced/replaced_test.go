package replaced

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	dir := t.TempDir()
	table, other := filepath.Join(dir, "table.csv"), filepath.Join(dir, "other.csv")
	for _, path := range []string{table, other} {
		if err := os.WriteFile(path, []byte("x"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	type flags map[string]string
	for name, c := range map[string]struct {
		args    []string
		inPlace bool
		flags   flags
		want    string
	}{
		"another file":           {[]string{table}, false, flags{"output": other}, ""},
		"a file that is not yet": {[]string{table}, false, flags{"output": filepath.Join(dir, "new")}, ""},
		"the table":              {[]string{table}, false, flags{"output": table}, "--output"},
		"by another path":        {[]string{filepath.Join(dir, ".", "table.csv")}, false, flags{"plot": table}, "--plot"},
		"in place":               {[]string{table}, true, flags{"output": table}, ""},
		"in place, the second":   {[]string{other, table}, true, flags{"output": table}, "--output"},
		"read by a flag":         {nil, false, flags{"output": table, "to": table}, "--output"},
		"named by a kernel":      {nil, false, flags{"output": table, "kernel": `gram(file="` + table + `") + linear`}, "--output"},
		"a flag that reads none": {nil, false, flags{"output": table, "target": table}, ""},
	} {
		err := Check(c.args, c.inPlace, func(use func(name, value string)) {
			for flag, value := range c.flags {
				use(flag, value)
			}
		})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
