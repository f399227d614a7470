// Package v1 is one.
// +kubebuilder:validation:Optional
// +groupName=e.example.com
package v1

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// E one.
// +kubebuilder:storageversion
// +kubebuilder:resource:scope=Cluster
// +kubebuilder:printcolumn:name="Age",type="date",JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:printcolumn:name="X",type="integer",JSONPath=`.spec.x`,priority=0
// +kubebuilder:metadata:labels=a=b
type E struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec ESpec `json:"spec"`
	// +required
	Status EStatus `json:"status"`
}

// Selector wraps.
type Selector struct {
	corev1.LocalObjectReference `json:",inline"`
	// Key in it.
	// +kubebuilder:validation:Required
	Key string `json:"key"`
}

// ESpec one.
// +kubebuilder:validation:MaxProperties=20
// +kubebuilder:externalDocs:url=https://e.example.com
type ESpec struct {
	X int64 `json:"x"`
	// +required
	Y string `json:"y,omitempty"`
	// Selector in it.
	Selector Selector `json:"selector"`
	// Doc of field.
	// +kubebuilder:title=Field
	Selectors []Selector `json:"selectors"`
	Raw runtime.RawExtension `json:"raw"`
	Raws []runtime.RawExtension `json:"raws,omitempty"`
	// +kubebuilder:pruning:PreserveUnknownFields
	J apiextensionsv1.JSON `json:"j"`
	// +nullable
	JM map[string]apiextensionsv1.JSON `json:"jm"`
	T metav1.Time `json:"t"`
	TM metav1.MicroTime `json:"tm"`
	D metav1.Duration `json:"d"`
	LS *metav1.LabelSelector `json:"ls"`
	OR []metav1.OwnerReference `json:"or"`
	// +listType=set
	// +kubebuilder:validation:items:Enum=a;b
	// +kubebuilder:default={a}
	Set []string `json:"set"`
	// +kubebuilder:default={b: z}
	// +kubebuilder:example={}
	Obj *Sub `json:"obj"`
	// +kubebuilder:default={x: {y: 1}}
	Nest map[string]map[string]int `json:"nest"`
	Bytes []byte `json:"bytes"`
	BytesList [][]byte `json:"bytesList"`
	Arr [3]int32 `json:"arr"`
	// +kubebuilder:validation:Enum="1";"2"
	// +kubebuilder:default="1"
	Num string `json:"num"`
	// +kubebuilder:default=-3
	// +kubebuilder:validation:Minimum=-10
	Neg int32 `json:"neg"`
	// +kubebuilder:validation:MaxLength=0
	// +kubebuilder:validation:Pattern=""
	Empty string `json:"empty"`
	// +kubebuilder:validation:ExclusiveMinimum=false
	Excl int32 `json:"excl"`
	// +k8s:required
	SubR Sub `json:"subR"`
	// +k8s:optional
	// +kubebuilder:validation:Required
	Both string `json:"both"`
	SubMap map[string]Sub `json:"subMap"`
	SubPtrs []*Sub `json:"subPtrs"`
}

// Sub is sub.
// +structType=granular
type Sub struct {
	// +kubebuilder:default=5
	A int `json:"a"`
	Common `json:",inline"`
}

// Common is common.
type Common struct {
	// A of common.
	// +kubebuilder:validation:Maximum=9
	A int `json:"a"`
	// +required
	B string `json:"b"`
}

// EStatus one.
type EStatus struct{}
