{{/* Short, as names of pods are names of servers, which have 40 characters at most. */}}
{{- define "lectern.name" -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 16 | trimSuffix "-" -}}
{{- end -}}

{{- define "lectern.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- define "lectern.selector" -}}
app.kubernetes.io/name: lectern
app.kubernetes.io/instance: {{ .release }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "lectern.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "lectern.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{- define "lectern.common" -}}
- name: SVC_CLUSTER_NAME
  valueFrom:
    fieldRef:
      fieldPath: metadata.name
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | toString | quote }}
{{- end }}
{{- end -}}
