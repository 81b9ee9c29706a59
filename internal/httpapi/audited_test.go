package httpapi

import (
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/kinebase/kinebase"
)

func TestTheAuditLogCallsOperationsAsTheDocumentDoes(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromData(kinebase.OpenAPI)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range routes {
		id := doc.Paths.Value(r.Pattern[len("/v1"):]).Operations()[r.Method].OperationID
		if named := r.operation(); named != "" && named != id || named == "" && r.Method != "GET" &&
			id != "estimateExport" {
			t.Errorf("%s %s is %q in the audit log and %q in the document", r.Method, r.Pattern, named, id)
		}
	}
}
