package frames

// Read gives all rows of some columns, in 64 bits. The caller bounds how many they are.
func (t *Table) Read(columns []string) ([][]float64, error) {
	scan, err := t.Scan(columns)
	if err != nil {
		return nil, err
	}
	values := make([][]float64, len(columns))
	for i := range values {
		values[i] = make([]float64, 0, t.Rows())
	}
	for g := range t.Groups() {
		if err := scan.Read(g); err != nil {
			return nil, err
		}
		for i, c := range scan.Columns {
			for at := range c.Len() {
				values[i] = append(values[i], c.At(at))
			}
		}
	}
	return values, nil
}

// ReadSamples is Read for channels that have so many samples a frame: of a slower channel
// than the fastest it gives those rows alone in which its samples fall.
func (t *Table) ReadSamples(columns []string, perFrame int) ([][]float64, error) {
	values, err := t.Read(columns)
	if every := t.PerFrame() / max(1, perFrame); err == nil && every > 1 {
		for i := range values {
			values[i] = thin(values[i], every)
		}
	}
	return values, err
}

// thin keeps the first of every so many.
func thin(values []float64, every int) []float64 {
	kept := values[:0]
	for i := 0; i < len(values); i += every {
		kept = append(kept, values[i])
	}
	return kept
}
