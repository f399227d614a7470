// +groupName=d.example.com
// +versionName=v1
package d

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

/*
D is described in a block.

	It is indented here.
* a star
  - and a dash

TODO: not this
---
nor this
*/
// +kubebuilder:subresource:status
type D struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec DSpec `json:"spec"`
}

// DSpec: first line.
//
//
// ~~~
// TODO stays in code
// --- too
// ~~~
// TODO gone
// TODOs gone too
// todo stays
//   TODO stays indented
//  --- stays indented
// end.
// ----
// hidden
type DSpec struct {
	// Deprecated: do not use.
	// +optional
	// Text goes on after a marker.
	//
	// +kubebuilder:validation:MinLength=1
	//
	// And after another.
	A string `json:"a"` // trailing comments do not count
	//
	// Starts with a blank line.
	B string `json:"b"`
	// Ends with blanks.   
	//   
	C string `json:"c"`

	// This block is apart.

	D string `json:"d"`
	// E line one.

	// E line two.
	E string `json:"e"`
	/* F in a block. */
	F string `json:"f"`
	// Sentence one. Sentence two is longer than that! And a third? yes
	G string `json:"g"`
	// 日本語の文。もう一つの文がここにあります。そして三つ目。
	H string `json:"h"`
	// nospacesatallinthisverylongwordthatgoesonandonandonandon
	I string `json:"i"`
	// +kubebuilder:default:="x"
	J string `json:"j,omitempty"`
	//+kubebuilder:validation:MaxLength=3
	K string `json:"k"`
	// + not a marker
	L string `json:"l"`
	// +unknown:marker=1
	// Text.
	M string `json:"m"`
	// x: y # z
	// - {a}
	N string `json:"n"`
}
