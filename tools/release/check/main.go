// Command check holds the files of deploy to what reads them: Helm, the types of Kubernetes, Compose.
package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	composecli "github.com/compose-spec/compose-go/v2/cli"
	"helm.sh/helm/v4/pkg/action"
	"helm.sh/helm/v4/pkg/chart/common"
	chartutil "helm.sh/helm/v4/pkg/chart/common/util"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/engine"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/kubernetes/scheme"
)

// trial is a way to install the chart, by its values.
type trial struct {
	name   string
	values map[string]any
	kinds  string // that it makes, in the order of the templates' names; "" when it must be refused
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "check DEPLOY")
		os.Exit(2)
	}
	if err := checkDeploy(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "check:", err)
		os.Exit(1)
	}
}

var trials = []trial{
	{"as it stands", nil, "Service StatefulSet"},
	{"several servers", map[string]any{"replicas": 3, "secret": "kinebase",
		"settings": map[string]any{"KINEBASE_S3_BUCKET": "kinebase", "KINEBASE_WORKERS": 2}}, "Service Deployment"},
	{"behind an ingress", map[string]any{"ingress": map[string]any{"enabled": true, "className": "nginx",
		"tlsSecret": "tls"}}, "Ingress Service StatefulSet"},
	{"several servers without a database", map[string]any{"replicas": 3}, ""},
	{"a setting that is none of ours", map[string]any{"settings": map[string]any{"PATH": "/"}}, ""},
	{"a value that there is not", map[string]any{"replica": 3}, ""},
}

// checkDeploy has Helm lint the chart and write it out, holds every object to the types of
// Kubernetes, and has Compose read its file.
func checkDeploy(ctx context.Context, deploy string) error {
	folder := filepath.Join(deploy, "helm", "kinebase")
	for _, t := range trials {
		kinds, err := render(folder, t.values)
		switch {
		case t.kinds == "" && err == nil:
			return fmt.Errorf("the chart, %s, should be refused and makes %s", t.name, kinds)
		case t.kinds != "" && err != nil:
			return fmt.Errorf("the chart, %s: %w", t.name, err)
		case t.kinds != "" && kinds != t.kinds:
			return fmt.Errorf("the chart, %s, makes %s, want %s", t.name, kinds, t.kinds)
		}
		if t.kinds == "" {
			continue
		}
		if said := action.NewLint().Run([]string{folder}, t.values); len(said.Errors) > 0 {
			return fmt.Errorf("helm lint, %s: %v", t.name, said.Errors)
		}
	}
	options, err := composecli.NewProjectOptions([]string{filepath.Join(deploy, "compose.yaml")},
		composecli.WithEnv([]string{"KINEBASE_VERSION=1", "DATABASE_PASSWORD=a", "BUCKET_SECRET=b"}))
	if err != nil {
		return err
	}
	project, err := options.LoadProject(ctx)
	if err != nil {
		return fmt.Errorf("compose.yaml: %w", err)
	}
	fmt.Fprintf(os.Stdout, "The chart is sound in %d ways, and compose.yaml with %d services.\n", len(trials),
		len(project.Services))
	return nil
}

// render writes a chart out and gives the kinds of its objects.
func render(folder string, values map[string]any) (string, error) {
	c, err := loader.Load(folder)
	if err != nil {
		return "", err
	}
	all, err := chartutil.ToRenderValues(c, values,
		common.ReleaseOptions{Name: "lab", Namespace: "default", IsInstall: true}, common.DefaultCapabilities)
	if err != nil {
		return "", err
	}
	texts, err := engine.Render(c, all)
	if err != nil {
		return "", err
	}
	strict := serializer.NewCodecFactory(scheme.Scheme, serializer.EnableStrict).UniversalDeserializer()
	var kinds []string
	for _, name := range []string{"ingress", "service", "servers"} {
		text := texts["kinebase/templates/"+name+".yaml"]
		documents := yaml.NewYAMLReader(bufio.NewReader(strings.NewReader(text)))
		for {
			document, err := documents.Read()
			if err == io.EOF {
				break
			}
			if err != nil {
				return "", err
			}
			if len(bytes.TrimSpace(document)) == 0 {
				continue
			}
			_, kind, err := strict.Decode(document, nil, nil)
			if err != nil {
				return "", fmt.Errorf("%s.yaml: %w\n%s", name, err, document)
			}
			kinds = append(kinds, kind.Kind)
		}
	}
	return strings.Join(kinds, " "), nil
}
