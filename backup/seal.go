package backup

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
)

// A sealed text is JSON on one line and, on a second one, the checksum of the first: cut off
// anywhere, or changed, it is none.

const sealHead, sealTail = `{"sha256":"`, "\"}\n"

// sealed writes a value so.
func sealed(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	text = append(text, '\n')
	sum := sha256.Sum256(text)
	return append(text, sealHead+hex.EncodeToString(sum[:])+sealTail...), nil
}

// unsealed reads what sealed wrote.
func unsealed(name string, data []byte, v any) error {
	end := bytes.IndexByte(data, '\n')
	if end < 0 {
		return &Damaged{name + " is cut off"}
	}
	sum := sha256.Sum256(data[:end+1])
	if string(data[end+1:]) != sealHead+hex.EncodeToString(sum[:])+sealTail {
		return &Damaged{name + " is cut off, or was changed"}
	}
	d := json.NewDecoder(strings.NewReader(string(data[:end])))
	if err := d.Decode(v); err != nil {
		return &Damaged{name + ": " + err.Error()}
	}
	return nil
}
