// Renders a Helm chart with Go's own templates and Sprig, as Helm does:
// go run render-chart.go CHART < VALUES_AS_JSON > MANIFESTS
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"github.com/ghodss/yaml"
)

type object = map[string]interface{}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func readYaml(file string) object {
	text, err := os.ReadFile(file)
	check(err)
	var value object
	check(yaml.Unmarshal(text, &value))
	return value
}

// Lays values over those of the chart, key by key.
func merge(under, over object) object {
	for key, value := range over {
		inner, isObject := value.(object)
		below, hadObject := under[key].(object)
		if isObject && hadObject {
			under[key] = merge(below, inner)
		} else {
			under[key] = value
		}
	}
	return under
}

func main() {
	chart := os.Args[1]
	var given object
	check(json.NewDecoder(os.Stdin).Decode(&given))
	info := readYaml(filepath.Join(chart, "Chart.yaml"))
	data := object{
		"Values":  merge(readYaml(filepath.Join(chart, "values.yaml")), given),
		"Release": object{"Name": "swap", "Namespace": "faces", "Service": "Helm"},
		"Chart":   object{"Name": info["name"], "Version": info["version"], "AppVersion": info["appVersion"]},
	}
	all := template.New("chart").Option("missingkey=error")
	functions := sprig.TxtFuncMap()
	functions["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	functions["include"] = func(name string, value interface{}) (string, error) {
		var text strings.Builder
		err := all.ExecuteTemplate(&text, name, value)
		return text.String(), err
	}
	all.Funcs(functions)
	files, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	check(err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		check(err)
		_, err = all.New(filepath.Base(file)).Parse(string(text))
		check(err)
	}
	for _, file := range files {
		if filepath.Ext(file) == ".yaml" {
			fmt.Println("---")
			check(all.ExecuteTemplate(os.Stdout, filepath.Base(file), data))
		}
	}
}
