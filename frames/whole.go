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
	if err == nil && perFrame > 0 && perFrame < t.PerFrame() {
		for i := range values {
			values[i] = thin(values[i], perFrame, t.PerFrame())
		}
	}
	return values, err
}

// thin keeps those of so many rows a frame in which the samples of a slower channel fall, as spread has laid them.
func thin(values []float64, per, rows int) []float64 {
	kept := values[:0]
	for frame := 0; frame+rows <= len(values); frame += rows {
		for i := range per {
			kept = append(kept, values[frame+i*rows/per])
		}
	}
	return kept
}
