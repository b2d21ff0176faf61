import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { before, test } from 'node:test';
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1';
import { PodMonitor, ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import { Ajv } from 'ajv';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { Job } from 'kubernetes-models/batch/v1';
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { Service } from 'kubernetes-models/v1';
import { parse } from 'yaml';
import { createTestDatabase } from '@guise/server/db/test-database.ts';
import {
  canRender,
  CHART,
  cannotRender as skip,
  type Manifest,
  ofKind,
  render,
} from './testing/render-chart.ts';

const KINDS = {
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  Job,
  NetworkPolicy,
  PodDisruptionBudget,
  PodMonitor,
  ScaledObject,
  Service,
  ServiceMonitor,
};

const EVERYTHING = {
  image: { pullSecrets: [{ name: 'pull' }] },
  worker: { keda: { enabled: true } },
  ingress: { enabled: true, className: 'nginx', tlsSecretName: 'tls', annotations: { a: 'b' } },
  networkPolicy: { metricsFrom: [{ namespaceSelector: { matchLabels: { name: 'monitoring' } } }] },
  serviceMonitor: { enabled: true },
  nodeSelector: { disk: 'fast' },
  tolerations: [{ key: 'faces', operator: 'Exists' }],
};

let plain: Manifest[] = [];
let full: Manifest[] = [];
before(() => {
  if (!canRender) return;
  plain = render({});
  full = render(EVERYTHING);
});

/** Returns whether a selector's labels are all among a pod's. */
const finds = (selector: object, labels: object): boolean =>
  Object.entries(selector).every(([key, value]) => (labels as Record<string, unknown>)[key] === value);

test(
  "what the chart makes fits the schemas of Kubernetes' API, of KEDA and of Prometheus' operator",
  { skip },
  () => {
    for (const manifests of [plain, full]) {
      for (const manifest of manifests) {
        const Kind = KINDS[manifest.kind as keyof typeof KINDS] as new (data: object) => {
          apiVersion: string;
          validate(): void;
        };
        const model = new Kind(manifest);
        assert.equal(model.apiVersion, manifest.apiVersion);
        model.validate();
      }
    }
    assert.deepEqual(new Set(full.map(({ kind }) => kind)), new Set(Object.keys(KINDS)));
    assert.ok(!plain.some(({ kind }) => ['Ingress', 'ScaledObject', 'ServiceMonitor'].includes(kind)));
  },
);

test('no two things of the chart have one name, and selectors find the pods', { skip }, () => {
  const names = full.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
  assert.equal(new Set(names).size, names.length);
  const deployments = ofKind(full, 'Deployment');
  const labelsOf = (role: string): object =>
    deployments.find(({ metadata }) => metadata.name === `swap-${role}`).spec.template.metadata.labels;
  const [service] = ofKind(full, 'Service');
  assert.ok(
    finds(service.spec.selector, labelsOf('api')) && !finds(service.spec.selector, labelsOf('worker')),
  );
  for (const { spec } of deployments) {
    assert.ok(finds(spec.selector.matchLabels, spec.template.metadata.labels));
  }
  for (const { metadata, spec } of ofKind(full, 'PodDisruptionBudget')) {
    assert.ok(finds(spec.selector.matchLabels, labelsOf(metadata.name.replace('swap-', ''))));
  }
});

test('pods have no rights, no secrets in the clear, and a writable folder of their own', { skip }, () => {
  const pods = full.flatMap(({ spec }) => (spec.template?.spec?.containers ? [spec.template.spec] : []));
  assert.equal(pods.length, 3);
  for (const pod of pods) {
    assert.equal(pod.securityContext.runAsNonRoot, true);
    assert.equal(pod.automountServiceAccountToken, false);
    const [container] = pod.containers;
    assert.equal(container.securityContext.readOnlyRootFilesystem, true);
    assert.deepEqual(container.securityContext.capabilities.drop, ['ALL']);
    assert.deepEqual(
      container.volumeMounts.map((mount: { mountPath: string }) => mount.mountPath),
      ['/var/lib/guise', '/tmp'],
    );
    assert.ok(!JSON.stringify(container.env).includes('postgres://'));
  }
});

test("KEDA's question is one that the database answers, with a whole number", { skip }, async (context) => {
  const database = await createTestDatabase();
  context.after(() => database.close());
  const [scaled] = ofKind(full, 'ScaledObject');
  const [trigger] = scaled.spec.triggers;
  const { rows } = await database.db.pool.query<Record<string, unknown>>(trigger.metadata.query);
  assert.deepEqual(rows.flatMap(Object.values).map(Number), [0]);
  assert.equal(trigger.metadata.targetQueryValue, '30');
});

test('the schema of the values accepts those of the chart and refuses what cannot be', async () => {
  const schema = JSON.parse(await readFile(path.join(CHART, 'values.schema.json'), 'utf8'));
  const values: Manifest = parse(await readFile(path.join(CHART, 'values.yaml'), 'utf8'));
  const isValid = new Ajv({ allowUnionTypes: true }).compile(schema);
  const isOwnValid = isValid(values);
  assert.equal(isOwnValid, true, JSON.stringify(isValid.errors));
  for (const wrong of [
    { ...values, worker: { ...values.worker, engineSlots: 1 } },
    { ...values, config: { ...values.config, GUISE_PUBLIC_URL: 'guise.example.com' } },
    { ...values, config: { ...values.config, DATABASE_URL: 'postgres://me:secret@host/guise' } },
    { ...values, secretName: '' },
    { ...values, image: { ...values.image, digest: 'sha256:abc' } },
  ]) {
    assert.equal(isValid(wrong), false, JSON.stringify(wrong));
  }
});
