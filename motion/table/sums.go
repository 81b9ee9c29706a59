package table

import (
	"math"
	"slices"
)

// summaries are what the last rows of a table may have of each column: its sum, its mean, and so
// on. The numbers of a column are sorted and not missing.
var summaries = []func(column []float64) float64{
	sum,
	mean,
	func(column []float64) float64 { return column[0] },
	func(column []float64) float64 { return column[len(column)-1] },
	func(column []float64) float64 { return (column[(len(column)-1)/2] + column[len(column)/2]) / 2 },
	func(column []float64) float64 { return deviation(column, 0) },
	func(column []float64) float64 { return deviation(column, 1) },
}

func sum(column []float64) (all float64) {
	for _, v := range column {
		all += v
	}
	return all
}

func mean(column []float64) float64 { return sum(column) / float64(len(column)) }

// deviation is the standard deviation, of so many numbers less.
func deviation(column []float64, less int) float64 {
	middle, squares := mean(column), 0.0
	for _, v := range column {
		squares += (v - middle) * (v - middle)
	}
	return math.Sqrt(squares / float64(len(column)-less))
}

// addsUp says whether all numbers of a row are the sums of the columns, or all the means, or
// another summary. Of columns that stay as they are nobody can tell.
func (p *plain) addsUp(cells [][]byte) bool {
	if p.rows < 2 {
		return false
	}
	fits := slices.Repeat([]bool{true}, len(summaries))
	numbers, moves := 0, false
	for k, i := range p.data {
		v, ok := p.numerals.number(cell(cells, i), -1)
		if !ok {
			continue
		}
		column := p.columns.Column(k)
		sorted := make([]float64, 0, len(column))
		for _, x := range column {
			if x == x {
				sorted = append(sorted, float64(x))
			}
		}
		slices.Sort(sorted)
		if numbers++; len(sorted) < 2 {
			return false
		}
		moves = moves || sorted[0] != sorted[len(sorted)-1]
		step := math.Pow10(-p.numerals.places)
		for n, of := range summaries {
			want := of(sorted)
			fits[n] = fits[n] && math.Abs(v-want) <= 0.5001*step+1e-6*math.Abs(want)
		}
	}
	return moves && numbers > 0 && slices.Contains(fits, true)
}
