package search

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// needle searches many short texts for one text. bytes.Index stops at every byte that equals
// the first one of the text: in hexadecimal digits at one of sixteen. A needle compares the first
// three bytes at eight places together.
type needle struct {
	text          []byte
	first, second uint64 // the byte, eight times
	third, three  uint64 // three is 0 for a text of two bytes
}

const lows, highs = 0x0101010101010101, 0x8080808080808080

func newNeedle(text string) needle {
	n := needle{text: []byte(text)}
	if len(text) >= 2 {
		n.first, n.second = lows*uint64(text[0]), lows*uint64(text[1])
	}
	if len(text) >= 3 {
		n.third, n.three = lows*uint64(text[2]), ^uint64(0)
	}
	return n
}

// index is bytes.Index.
func (n *needle) index(s []byte) int {
	if len(n.text) < 2 {
		return bytes.Index(s, n.text)
	}
	at := 0
	for ; len(s)-at >= 10; at += 8 {
		w := s[at : at+10]
		// A byte of differ is 0 where the first bytes equal those at that place.
		first, second := binary.LittleEndian.Uint64(w)^n.first, binary.LittleEndian.Uint64(w[1:])^n.second
		differ := first | second | (binary.LittleEndian.Uint64(w[2:])^n.third)&n.three
		// The lowest bit is that of the first such place; those behind it may be others.
		for hit := (differ - lows) &^ differ & highs; hit != 0; hit &= hit - 1 {
			if i := at + bits.TrailingZeros64(hit)/8; bytes.HasPrefix(s[i:], n.text) {
				return i
			}
		}
	}
	if i := bytes.Index(s[at:], n.text); i >= 0 {
		return at + i
	}
	return -1
}
