package httpapi

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"

	"github.com/go-json-experiment/json"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// policy is what a form of this server's own allows: one file, for one
// reservation, up to a moment and up to a size. It travels in the form, signed.
type policy struct {
	Organization organization.ID `json:"organization"`
	Session      string          `json:"session"`
	Expires      int64           `json:"expires"` // milliseconds since 1970
	Max          int64           `json:"max"`     // bytes
}

// The fields of a form.
const (
	fieldKey       = "key"
	fieldPolicy    = "policy"
	fieldSignature = "signature"
)

// formFields are those that come before the file.
var formFields = []string{fieldKey, fieldPolicy, fieldSignature}

// fields signs the policy.
func (p policy) fields(key []byte) map[string]string {
	text, err := json.Marshal(p)
	if err != nil {
		panic(err) // strings and numbers
	}
	sealed := base64.RawURLEncoding.EncodeToString(text)
	return map[string]string{
		fieldKey:       upload.LandingName(p.Organization.String(), p.Session),
		fieldPolicy:    sealed,
		fieldSignature: hex.EncodeToString(sign(key, sealed)),
	}
}

func sign(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}

// readPolicy gives the policy of a form that this server, or one that shares its
// key, has made; whatever is wrong with any other form, it is a fault.Forbidden.
func readPolicy(fields map[string]string, key []byte) (policy, error) {
	forged := fault.New(fault.Forbidden,
		"The form was not made by this server, or its fields were changed; send upload_fields as they were answered.")
	signature, err := hex.DecodeString(fields[fieldSignature])
	if err != nil || !hmac.Equal(signature, sign(key, fields[fieldPolicy])) {
		return policy{}, forged
	}
	// From here on these are the server's own words.
	var p policy
	text, err := base64.RawURLEncoding.DecodeString(fields[fieldPolicy])
	if err == nil {
		err = json.Unmarshal(text, &p, json.RejectUnknownMembers(true))
	}
	if err != nil || fields[fieldKey] != upload.LandingName(p.Organization.String(), p.Session) {
		return policy{}, forged
	}
	return p, nil
}
