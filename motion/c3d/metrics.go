package c3d

import (
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
)

// mostMetrics bounds the metrics of a file: a hostile one may have very many in a few
// bytes each. Real files have a few dozen.
const mostMetrics = 4096

// metrics collects the numbers of the group ANALYSIS: what programs for gait have
// computed of the whole recording, for a side and a subject each.
func (h *Header) metrics() []record.Metric {
	const group = "ANALYSIS"
	names, values := h.texts(group, "NAMES"), h.numbers(group, "VALUES", false)
	n := min(len(names), len(values))
	if used, ok := h.Parameter(group, "USED").Count(); ok {
		if used > int64(n) {
			h.Warnings.Add(quality.MetricsDisagree, "ANALYSIS:USED counts %d metrics, but %d have a name and a value.",
				used, n)
		}
		n = int(min(int64(n), used))
	}
	if n > mostMetrics {
		h.Warnings.Add(quality.MetricsDisagree, "The file has %s metrics; the first %s were read.",
			quality.Thousands(int64(n)), quality.Thousands(mostMetrics))
		n = mostMetrics
	}
	contexts, subjects := h.texts(group, "CONTEXTS"), h.texts(group, "SUBJECTS")
	units, descriptions := h.texts(group, "UNITS"), h.texts(group, "DESCRIPTIONS")
	var metrics []record.Metric
	for i := range n {
		if value := decimal(values[i]); names[i] != "" && finite(value) {
			metrics = append(metrics, record.Metric{
				Name: names[i], Context: record.ContextOf(nth(contexts, i)), Subject: nth(subjects, i),
				Unit: nth(units, i), Description: nth(descriptions, i), Value: value,
			})
		}
	}
	if left := n - len(metrics); left > 0 {
		h.Warnings.Add(quality.MetricsDisagree, "%d of the %d metrics have no name or no value and were left out.",
			left, n)
	}
	return metrics
}

// nth is a text of a list that may be too short.
func nth(all []string, i int) string {
	if i < len(all) {
		return all[i]
	}
	return ""
}
