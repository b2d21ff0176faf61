{{- define "guise.labels" -}}
app.kubernetes.io/name: guise
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{/* Labels that select the pods of one role; called with a dict of root and role. */}}
{{- define "guise.selector" -}}
app.kubernetes.io/name: guise
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{/* The pod of one role; called with a dict of root, role, env and resources. */}}
{{- define "guise.pod" -}}
{{- $port := ternary 3000 3001 (eq .role "api") -}}
{{- /* What a role reads of the Secret, and nothing else of it; all but DATABASE_URL may be missing. */}}
{{- $secrets := list "DATABASE_URL" "DATABASE_DIRECT_URL" -}}
{{- if ne .role "migrate" -}}
{{- $secrets = concat $secrets (list "GUISE_S3_ACCESS_KEY_ID" "GUISE_S3_SECRET_ACCESS_KEY") -}}
{{- $secrets = concat $secrets (list "GUISE_OPERATOR_TOKEN" "GUISE_PREVIOUS_OPERATOR_TOKEN") -}}
{{- end -}}
{{- if eq .role "api" -}}
{{- $secrets = append $secrets "GUISE_SMTP_URL" -}}
{{- else if eq .role "worker" -}}
{{- $secrets = concat $secrets (list "GUISE_ENCRYPTION_KEY" "GUISE_PREVIOUS_ENCRYPTION_KEY") -}}
{{- $secrets = concat $secrets (list "GUISE_MODERATION_URL" "GUISE_MODERATION_SECRET") -}}
{{- end -}}
metadata:
  labels:
    {{- include "guise.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
spec:
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: 45
  {{- with .root.Values.image.pullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .root.Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .root.Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 1000
    fsGroup: 1000
    seccompProfile:
      type: RuntimeDefault
  {{- if eq .role "migrate" }}
  restartPolicy: Never
  {{- end }}
  containers:
    - name: {{ .role }}
      {{- with .root.Values.image }}
      image: "{{ .repository }}:{{ .tag | default $.root.Chart.AppVersion }}{{ with .digest }}@{{ . }}{{ end }}"
      imagePullPolicy: {{ .pullPolicy }}
      {{- end }}
      args: [{{ if eq .role "migrate" }}migrate{{ else }}start, {{ .role }}{{ end }}]
      env:
        {{- range $name, $value := .root.Values.config }}
        - name: {{ $name }}
          value: {{ $value | toString | quote }}
        {{- end }}
        {{- if eq .role "worker" }}
        - name: GUISE_ENGINE_SLOTS
          value: {{ .root.Values.worker.engineSlots | toString | quote }}
        - name: GUISE_WORKER_METRICS_PORT
          value: "3001"
        - name: GUISE_WORKER_METRICS_HOST
          value: "0.0.0.0"
        {{- end }}
        # KEDA reads the connection of its query from DATABASE_URL.
        {{- range $secrets }}
        - name: {{ . }}
          valueFrom:
            secretKeyRef:
              name: {{ $.root.Values.secretName }}
              key: {{ . }}
              optional: {{ ne . "DATABASE_URL" }}
        {{- end }}
      {{- if ne .role "migrate" }}
      ports:
        - name: http
          containerPort: {{ $port }}
      startupProbe:
        httpGet:
          path: /readyz
          port: http
        periodSeconds: 2
        failureThreshold: 90
      readinessProbe:
        httpGet:
          path: /readyz
          port: http
        periodSeconds: 5
        timeoutSeconds: 4
      livenessProbe:
        httpGet:
          path: /livez
          port: http
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      {{- end }}
      {{- with .resources }}
      resources:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: [ALL]
      volumeMounts:
        - name: scratch
          mountPath: /var/lib/guise
        - name: tmp
          mountPath: /tmp
  volumes:
    - name: scratch
      emptyDir:
        sizeLimit: {{ .root.Values.scratch.sizeLimit }}
    - name: tmp
      emptyDir: {}
{{- end }}
