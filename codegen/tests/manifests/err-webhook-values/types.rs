//! Webhooks that a server refuses.

// +kubebuilder:webhookconfiguration:mutating=true,name=first
// +kubebuilder:webhookconfiguration:mutating=true,name=second

// +kubebuilder:webhook:path=/a,mutating=false,failurePolicy=perhaps,sideEffects=Some,groups=a.example.com,resources=as,verbs=creat,versions=v1,name=a.example.com,admissionReviewVersions=v1
// +kubebuilder:webhook:mutating=false,failurePolicy=fail,groups=a.example.com,resources=as,verbs=create,versions=v1,name=b.example.com,admissionReviewVersions=v2
// +kubebuilder:webhook:path=c,mutating=false,failurePolicy=fail,sideEffects=None,groups=*;apps,resources=as,verbs=create,versions=v1,name=c,admissionReviewVersions=v1,timeoutSeconds=31
// +kubebuilder:webhook:url="http://d.example.com",mutating=false,failurePolicy=fail,sideEffects=None,groups=apps,resources=as,verbs=create,versions=v1,name=d.example.com,admissionReviewVersions=v1,matchPolicy=Roughly,reinvocationPolicy=IfNeeded
// +kubebuilder:webhook:path=/e,mutating=true,failurePolicy=fail,sideEffects=None,groups=apps,resources=as,verbs=create,versions=v1,name=e.example.com,admissionReviewVersions=v1,webhookVersions=v1beta1,servicePort=70000
// +kubebuilder:webhook:path=/e,mutating=true,failurePolicy=fail,sideEffects=None,groups=apps,resources=as,verbs=create,versions=v1,name=e.example.com,admissionReviewVersions=v1
// +kubebuilder:webhook:path=/f,mutating=true,failurePolicy=fail,sideEffects=None,groups=apps,resources=as,verbs=create,versions=v1,name=f.example.com,admissionReviewVersions=v1,patch=`{"timeoutSecond":5,"objectSelector":{"matchLabel":{}},"rules":[{"scope":1}],"matchPolicy":["Exact"]}`
// +kubebuilder:webhook:path=/g,mutating=true,failurePolicy=fail,sideEffects=None,groups=apps,resources=as,verbs=create,versions=v1,name=g.example.com,admissionReviewVersions=v1,patch=`{"timeoutSeconds":5`
pub fn serve() {}
