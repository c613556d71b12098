{{- define "upwatch.labels" -}}
app.kubernetes.io/name: upwatch
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "upwatch.selector" -}}
app.kubernetes.io/name: upwatch
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "upwatch.secret" -}}
{{- if and .Values.existingSecret .Values.secrets }}{{ fail "Set existingSecret or secrets, not both." }}{{ end }}
{{- if not (or .Values.existingSecret .Values.secrets) }}{{ fail "Set existingSecret to a secret with DATABASE_URL and APP_SECRET, or set secrets." }}{{ end }}
{{- .Values.existingSecret | default .Release.Name }}
{{- end }}

{{/* What all pods share. The image runs as this user; nothing but /data and /tmp is written. */}}
{{- define "upwatch.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
  # Monitors of the type ping need no capability then.
  sysctls: [{ name: net.ipv4.ping_group_range, value: "0 2147483647" }]
volumes:
  - name: data
    emptyDir: { sizeLimit: 256Mi }
  - name: tmp
    emptyDir: { sizeLimit: 256Mi }
{{- with .root.Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "upwatch.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "upwatch.selector" . | nindent 8 }}
{{- end }}

{{- define "upwatch.container" -}}
image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}"
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
envFrom:
  - secretRef: { name: {{ include "upwatch.secret" .root }} }
env:
  - name: APP_URL
    value: {{ required "Set appUrl to the public URL." .root.Values.appUrl | quote }}
  {{- with .region }}
  - name: REGION
    value: {{ . | quote }}
  {{- end }}
  {{- range $name, $value := .root.Values.env }}
  - name: {{ $name }}
    value: {{ $value | quote }}
  {{- end }}
volumeMounts:
  - { name: data, mountPath: /data }
  - { name: tmp, mountPath: /tmp }
{{- end }}
