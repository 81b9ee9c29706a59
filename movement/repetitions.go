package movement

import "math"

// repetition is one time down and up again: samples.
type repetition struct {
	start, bottom, end int
	before, after      int // the highest positions around it
}

// lows finds the repetitions of a height: lowest positions that stand out by a share of a span,
// apart in time, each with where it begins and ends. They are those of find_peaks and peak_widths
// of SciPy.
func lows(height []float64, rate, span float64) []repetition {
	var found []repetition
	for _, at := range apart(height, minima(height), int(math.Ceil(repetitionApart.Value*rate))) {
		left, right := shoulders(height, at)
		stands := math.Min(height[left], height[right]) - height[at]
		if stands < repetitionProminence.of(span) {
			continue
		}
		level := height[at] + repetitionWidth.of(stands)
		r := repetition{start: left, bottom: at, end: right, before: left, after: right}
		for i := at; i > left; i-- {
			if height[i] < level && height[i-1] >= level {
				r.start = int(math.Round(float64(i) - (level-height[i])/(height[i-1]-height[i])))
				break
			}
		}
		for i := at; i < right; i++ {
			if height[i] < level && height[i+1] >= level {
				r.end = int(math.Round(float64(i) + (level-height[i])/(height[i+1]-height[i])))
				break
			}
		}
		found = append(found, r)
	}
	return found
}

// moved is the repetition counted from so many samples earlier.
func (r repetition) moved(by int) repetition {
	return repetition{r.start + by, r.bottom + by, r.end + by, r.before + by, r.after + by}
}

// whole says whether a repetition of a height begins and ends where the height is known: one that
// is cut by a gap, or by an end of the recording while the pelvis is lower than that share of the
// span under its highest, is not as deep as it looks.
func (r repetition) whole(height []float64, s stretch, highest, span float64) bool {
	for _, at := range []int{r.before, r.after} {
		end := at == 0 || at == len(height)-1
		switch {
		case at != s.from && at != s.to-1:
		case !end, height[at] < highest-cutShare.of(span):
			return false
		}
	}
	return true
}

// minima are the places that are lower than both neighbours, of a level stretch the middle.
func minima(height []float64) (places []int) {
	for i := 1; i < len(height)-1; i++ {
		if !(height[i] < height[i-1]) {
			continue
		}
		to := i
		for to < len(height)-1 && height[to+1] == height[i] {
			to++
		}
		if to < len(height)-1 && height[to+1] > height[i] {
			places = append(places, (i+to)/2)
		}
		i = to
	}
	return places
}

// apart keeps the lowest of places that are nearer to each other than that.
func apart(height []float64, places []int, samples int) []int {
	kept := append([]int{}, places...)
	for again := true; again; {
		again = false
		for i := 1; i < len(kept); i++ {
			if kept[i]-kept[i-1] >= samples {
				continue
			}
			higher := i
			if height[kept[i-1]] > height[kept[i]] {
				higher = i - 1
			}
			kept = append(kept[:higher], kept[higher+1:]...)
			again = true
			break
		}
	}
	return kept
}

// shoulders are the highest places to the left and to the right of a low, as far as nothing
// is lower than it.
func shoulders(height []float64, at int) (left, right int) {
	left, right = at, at
	for i := at; i >= 0 && height[i] >= height[at]; i-- {
		if height[i] > height[left] {
			left = i
		}
	}
	for i := at; i < len(height) && height[i] >= height[at]; i++ {
		if height[i] > height[right] {
			right = i
		}
	}
	return left, right
}
