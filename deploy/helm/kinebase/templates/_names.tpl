{{- define "kinebase.name" -}}
{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "kinebase.selector" -}}
app.kubernetes.io/name: kinebase
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "kinebase.labels" -}}
{{ include "kinebase.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}
