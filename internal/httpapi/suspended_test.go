package httpapi_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/organization"
)

func TestTheLogNamesTheTokenOfAnOrganizationThatIsSuspended(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		org := a.Organization()
		secret, id := a.TokenWithID(org)
		ended := []string{a.ExpiredToken(org), a.RevokedToken(org)}
		a.Get("/captures", secret).Want(200)
		key, _ := organization.ParseID(org)
		now := time.Now()
		if err := a.Store.SuspendOrganization(t.Context(), key, &now); err != nil {
			t.Fatal(err)
		}
		for range 2 { // asked of the store, and from memory
			r := a.Get("/captures", secret).Want(403)
			if !strings.Contains(string(r.Body), "suspended") {
				t.Errorf("it says %s", r.Body)
			}
		}
		for _, secret := range ended { // of which nothing is told, as ever
			a.Get("/captures", secret).Want(401)
		}
		named := fmt.Sprintf(`"organization":"%s","token_id":"%s"`, org, id)
		a.Until("the log names the token twice", func() bool {
			count := 0
			for line := range strings.Lines(a.Logs()) {
				if strings.Contains(line, `"status":403`) && strings.Contains(line, named) {
					count++
				}
			}
			return count == 2
		})
	})
}
