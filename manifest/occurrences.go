package manifest

// occurrences counts how often a hash came. It is a table of bare hashes, half
// to three quarters full, with a map for the few that come again: a Go map takes
// more than twice the memory for the same.
type occurrences struct {
	slots []uint64 // 0 is free; a power of two long
	used  int
	again map[uint64]uint64
}

// add notes one more and says how many there were before.
func (o *occurrences) add(hash uint64) uint64 {
	hash = max(hash, 1)
	if o.used >= len(o.slots)/4*3 {
		o.grow()
	}
	if !o.insert(hash) {
		o.used++
		return 0
	}
	if o.again == nil {
		o.again = map[uint64]uint64{}
	}
	o.again[hash]++
	return o.again[hash]
}

// insert puts a hash into the table and says whether it was there.
func (o *occurrences) insert(hash uint64) bool {
	mask := uint64(len(o.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		switch o.slots[i] {
		case hash:
			return true
		case 0:
			o.slots[i] = hash
			return false
		}
	}
}

func (o *occurrences) grow() {
	old := o.slots
	o.slots = make([]uint64, max(2*len(old), 1024))
	for _, hash := range old {
		if hash != 0 {
			o.insert(hash)
		}
	}
}
