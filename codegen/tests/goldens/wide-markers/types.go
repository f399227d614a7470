// +groupName=c.example.com
// +versionName=v1
package c

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Word is text.
// +kubebuilder:validation:MaxLength=10
// +kubebuilder:title="A word"
type Word string

// Name is a word.
// +kubebuilder:validation:MinLength=2
type Name Word

// Bag is a list.
// +kubebuilder:validation:MinItems=1
// +kubebuilder:validation:items:MaxLength=5
// +listType=set
type Bag []Name

// Table is a map.
// +kubebuilder:validation:MaxProperties=4
// +mapType=atomic
type Table map[string]Name

// Num is whole.
// +kubebuilder:validation:Minimum=-5
// +kubebuilder:validation:ExclusiveMaximum=true
// +kubebuilder:validation:Maximum=50
type Num int64

// Row has a key.
// +kubebuilder:validation:XValidation:rule="!has(self.b) || self.a != string(self.b)",message="differ",reason=FieldValueForbidden,fieldPath=".a"
// +structType=atomic
type Row struct {
	// A is first.
	// +k8s:required
	A Name `json:"a"`
	// +optional
	B Num `json:"b,omitempty"`
}

// Inner is flattened.
// +kubebuilder:validation:XValidation:rule="has(self.x)"
// +kubebuilder:validation:AtMostOneOf=x;y
type Inner struct {
	// X of inner.
	// +kubebuilder:validation:Minimum=1
	// +optional
	X int32 `json:"x,omitempty"`
	// +optional
	Y *Num `json:"y,omitempty"`
}

// Deeper holds Inner.
type Deeper struct {
	Inner `json:",inline"`
	// Z of deeper.
	// +k8s:immutable
	// +optional
	Z Bag `json:"z,omitempty"`
}

// C is a kind.
// It has two lines.
// +kubebuilder:resource:path=cees,shortName=c;cc,categories={all,some},singular=cee,scope=Namespaced
// +kubebuilder:printcolumn:name="A",type=string,JSONPath=".spec.name",description="What, and why",priority=1,format=date-time
// +kubebuilder:subresource:scale:specpath=.spec.num,statuspath=.status.num
// +kubebuilder:deprecatedversion:warning="c.example.com/v1 C is old; use d"
// +kubebuilder:validation:XValidation:rule="self.metadata.name.size() < 10",messageExpression="'too long: ' + self.metadata.name"
type C struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec of it.
	// +kubebuilder:validation:XValidation:rule="oldSelf.hasValue() || self.num > 0",optionalOldSelf=true
	// +optional
	Spec CSpec `json:"spec,omitempty"`
	// +optional
	Status *CStatus `json:"status,omitempty"`
}

// CStatus is seen.
type CStatus struct {
	// +optional
	// +listType=map
	// +listMapKey=type
	// +patchStrategy=merge
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	Num Num `json:"num"`
}

// CSpec has all.
// +kubebuilder:validation:ExactlyOneOf=p;q
// +kubebuilder:validation:ExactlyOneOf=r;s
// +kubebuilder:validation:AtLeastOneOf=p;q;r
// +kubebuilder:validation:XValidation:rule="true",message=first
// +kubebuilder:validation:XValidation:rule="1 == 1",message="second, with comma"
type CSpec struct {
	Deeper `json:",inline"`
	// Name of it.
	// +kubebuilder:validation:MaxLength=8
	// +kubebuilder:validation:Pattern="^[a-z]{2,3}$"
	Name Name `json:"name"`
	// +kubebuilder:validation:MaxItems=3
	// +kubebuilder:validation:items:MinLength=3
	Names []Name `json:"names"`
	// +nullable
	// +listType=atomic
	Bag Bag `json:"bag"`
	// +kubebuilder:validation:MinProperties=1
	// +kubebuilder:default={a: bb}
	Table Table `json:"table,omitempty"`
	// +kubebuilder:validation:Maximum=20
	// +kubebuilder:validation:MultipleOf=5
	Num Num `json:"num"`
	// Rows of it.
	// +listType=map
	// +listMapKey=a
	// +kubebuilder:validation:items:XValidation:rule="self.a.size() > 1"
	// +optional
	Rows []Row `json:"rows,omitempty"`
	// +optional
	Row *Row `json:"row,omitempty"`
	// +optional
	P *string `json:"p,omitempty"`
	// +optional
	Q *int64 `json:"q,omitempty"`
	// +optional
	R []string `json:"r,omitempty"`
	// +optional
	S map[string]string `json:"s,omitempty"`
	// +kubebuilder:default={{a: xx, b: 1},{a: yy}}
	// +optional
	T []Row `json:"t,omitempty"`
	// +kubebuilder:externalDocs:url="https://example.com/x?y=z",description="The docs"
	// +kubebuilder:title="U"
	// +kubebuilder:example={a: "b", c: {1,2}}
	// +optional
	U *corev1.ObjectReference `json:"u,omitempty"`
	// +kubebuilder:validation:XIntOrString
	// +kubebuilder:validation:Pattern="^[0-9]+%?$"
	// +kubebuilder:default="25%"
	// +optional
	V *intstr.IntOrString `json:"v,omitempty"`
	// +default="x y"
	// +optional
	W string `json:"w,omitempty"`
	// +default={"a":[1,2.5],"b":null}
	// +kubebuilder:pruning:PreserveUnknownFields
	// +optional
	Y2 *metav1.ObjectMeta `json:"y2,omitempty"`
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:Format=duration
	// +optional
	Dur int64 `json:"dur,omitempty"`
	// +kubebuilder:validation:EmbeddedResource
	// +kubebuilder:pruning:PreserveUnknownFields
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:validation:Type=object
	// +nullable
	// +optional
	Any []string `json:"any,omitempty"`
	// +kubebuilder:validation:Enum=1;2;4
	// +optional
	E int32 `json:"e,omitempty"`
	// +kubebuilder:validation:Enum="a b";"";c
	// +optional
	F string `json:"f,omitempty"`
	// +kubebuilder:validation:items:Enum=x;y
	// +kubebuilder:validation:UniqueItems=false
	// +optional
	G []string `json:"g,omitempty"`
	// +kubebuilder:validation:Enum=true
	// +optional
	H bool `json:"h,omitempty"`
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Minimum=3
	// +optional
	I int `json:"i,omitempty"`
	// +k8s:required
	// +kubebuilder:validation:MinLength=4
	J string `json:"j"`
	// +k8s:required
	K map[string]Row `json:"k"`
	// +k8s:required
	L Row `json:"l"`
	// +k8s:required
	M Num `json:"m"`
	// Matrix
	N [][]Name `json:"n"`
	O map[string][]map[string]Num `json:"o"`
	// +optional
	Q2 *resource.Quantity `json:"q2,omitempty"`
	// +kubebuilder:default="1Gi"
	// +optional
	Q3 resource.Quantity `json:"q3,omitempty"`
	// +k8s:minimum=2 # two
	// +k8s:maximum=9#nine
	// +optional
	Q4 int32 `json:"q4,omitempty"`
	// +kubebuilder:validation:Maximum=1e6
	// +kubebuilder:validation:Minimum=-0
	// +optional
	Q5 int64 `json:"q5,omitempty"`
	// +structType=granular
	// +optional
	Q6 *Row `json:"q6,omitempty"`
	// +mapType=granular
	// +optional
	Q7 Table `json:"q7,omitempty"`
	// +kubebuilder:validation:XPreserveUnknownFields
	// +optional
	Q8 map[string]string `json:"q8,omitempty"`
	// +optional
	Q9 *[]Row `json:"q9,omitempty"`
}
