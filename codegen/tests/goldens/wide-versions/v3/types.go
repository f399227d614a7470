// +kubebuilder:skip
// +groupName=e.example.com
package v3
import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
type E struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Z float64 `json:"z"`
}
