// Renders a chart as Helm does, which is no package of Debian: with Go's templates, the functions of sprig and Helm's own.
// Arguments: the folder of the chart, and a file with values beside its defaults, which gets
// the defaults as well. Prints YAML documents.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

type object = map[string]interface{}

func main() {
	chart, own := os.Args[1], os.Args[2]
	values := merged(read(filepath.Join(chart, "values.yaml")), read(own))
	all, err := yaml.Marshal(values)
	check(err)
	check(os.WriteFile(own, all, 0o600)) // for its schema
	render(chart, values)
}

func render(chart string, values object) {
	data := object{
		"Values":  values,
		"Release": object{"Name": "school", "Namespace": "meetings"},
		"Chart":   capitalized(read(filepath.Join(chart, "Chart.yaml"))),
	}
	all := template.New("chart")
	functions := sprig.TxtFuncMap()
	functions["toYaml"] = func(value interface{}) string {
		text, err := yaml.Marshal(value)
		check(err)
		return strings.TrimSuffix(string(text), "\n")
	}
	functions["include"] = func(name string, data interface{}) (string, error) {
		var text bytes.Buffer
		err := all.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	functions["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, errors.New(message)
		}
		return value, nil
	}
	all.Funcs(functions)
	paths, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	check(err)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		check(err)
		template.Must(all.New(filepath.Base(path)).Parse(string(text)))
	}
	for _, path := range paths {
		if filepath.Ext(path) == ".yaml" {
			fmt.Println("---")
			check(all.ExecuteTemplate(os.Stdout, filepath.Base(path), data))
		}
	}
}

func read(path string) object {
	text, err := os.ReadFile(path)
	check(err)
	value := object{}
	check(yaml.UnmarshalStrict(text, &value))
	return value
}

// Objects are merged, everything else is replaced.
func merged(base, more object) object {
	for key, value := range more {
		inner, isObject := value.(object)
		before, wasObject := base[key].(object)
		if isObject && wasObject {
			base[key] = merged(before, inner)
		} else {
			base[key] = value
		}
	}
	return base
}

func capitalized(chart object) object {
	all := object{}
	for key, value := range chart {
		all[strings.ToUpper(key[:1])+key[1:]] = value
	}
	return all
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
