// Lists the structs that a real API server decodes built-in kinds into, with the names of their fields as Go has them:
// the data behind `apiserver/data/internal.bin`. It needs the modules of Kubernetes, so it is run by hand, in an empty folder:
//
//	go mod init list && go get k8s.io/kubernetes@v1.37.2 && go run . | gzip -9n > internal.bin
//
// One struct a line: its name, then `field:code`. Codes: s text, n number, b flag, Q quantity, T time, I number or text, B bytes, R anything,
// $name a struct; before them * a pointer, [ a list, { a map, ? left out when empty, ! left out when zero.
package main

import (
	"fmt"
	"reflect"
	"sort"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/admissionregistration/install"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/certificates/install"
	_ "k8s.io/kubernetes/pkg/apis/coordination/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/discovery/install"
	_ "k8s.io/kubernetes/pkg/apis/events/install"
	_ "k8s.io/kubernetes/pkg/apis/flowcontrol/install"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	_ "k8s.io/kubernetes/pkg/apis/node/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/rbac/install"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
)

var seen = map[string]bool{}
var lines []string

func short(t reflect.Type) string {
	p := t.PkgPath()
	p = strings.TrimPrefix(p, "k8s.io/kubernetes/pkg/apis/")
	p = strings.TrimPrefix(p, "k8s.io/apimachinery/pkg/apis/")
	p = strings.TrimPrefix(p, "k8s.io/apimachinery/pkg/")
	p = strings.ReplaceAll(p, "/", "")
	return p + "." + t.Name()
}

func code(t reflect.Type) string {
	switch t.String() {
	case "resource.Quantity":
		return "Q"
	case "v1.Time", "v1.MicroTime":
		return "T"
	case "intstr.IntOrString":
		return "I"
	case "v1.FieldsV1", "runtime.RawExtension", "runtime.Unknown":
		return "R"
	case "v1.Duration":
		return "s"
	}
	switch t.Kind() {
	case reflect.Ptr:
		return "*" + code(t.Elem())
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "B"
		}
		return "[" + code(t.Elem())
	case reflect.Map:
		return "{" + code(t.Elem())
	case reflect.String:
		return "s"
	case reflect.Bool:
		return "b"
	case reflect.Struct:
		walk(t)
		return "$" + short(t)
	case reflect.Interface:
		return "R"
	}
	return "n"
}

func fields(t reflect.Type, out *[]string) {
	for i := 0; i < t.NumField(); i++ {
		f := t.Field(i)
		if !f.IsExported() {
			continue
		}
		tag := f.Tag.Get("json")
		name, opts, _ := strings.Cut(tag, ",")
		if name == "-" {
			continue
		}
		if f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct {
			walk(f.Type)
			fields(f.Type, out)
			continue
		}
		if name == "" {
			name = f.Name
		}
		c := code(f.Type)
		if strings.Contains(opts, "omitempty") {
			c = "?" + c
		}
		if strings.Contains(opts, "omitzero") {
			c = "!" + c
		}
		*out = append(*out, name+":"+c)
	}
}
func walk(t reflect.Type) {
	n := short(t)
	if seen[n] {
		return
	}
	seen[n] = true
	var out []string
	fields(t, &out)
	lines = append(lines, n+" "+strings.Join(out, " "))
}

func main() {
	kinds := map[schema.GroupVersionKind]reflect.Type(legacyscheme.Scheme.AllKnownTypes())
	for gvk, t := range kinds {
		if gvk.Version == runtime.APIVersionInternal && !strings.HasSuffix(gvk.Kind, "List") && !strings.HasSuffix(gvk.Kind, "Options") && strings.HasPrefix(t.PkgPath(), "k8s.io/kubernetes") {
			walk(t)
		}
	}
	sort.Strings(lines)
	fmt.Println(strings.Join(lines, "\n"))
}
