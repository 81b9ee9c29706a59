package export

func appendFloat32(b []byte, v float32, missing string) []byte {
	return appendNumber(b, float64(v), 32, missing)
}
