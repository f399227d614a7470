// +groupName=e.example.com
package v2
import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
// E two.
// +kubebuilder:resource:scope=Cluster
// +kubebuilder:unservedversion
// +kubebuilder:deprecatedversion
// +kubebuilder:selectablefield:JSONPath=.spec.a
type E struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec Spec `json:"spec"`
}
type Spec struct {
	A string `json:"a"`
}
