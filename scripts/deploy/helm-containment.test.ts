import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { BlockList, isIP } from 'node:net';
import path from 'node:path';
import { before, test } from 'node:test';
import { VARIABLES } from '@guise/server/config/variables.ts';
import { addressPolicy } from '@guise/server/net/address-policy.ts';
import { parse } from 'yaml';
import {
  canRender,
  CHART,
  cannotRender as skip,
  type Manifest,
  ofKind,
  render,
} from './testing/render-chart.ts';

const DATABASE = ['DATABASE_URL', 'DATABASE_DIRECT_URL'];
const SHARED = [
  ...DATABASE,
  'GUISE_S3_ACCESS_KEY_ID',
  'GUISE_S3_SECRET_ACCESS_KEY',
  'GUISE_OPERATOR_TOKEN',
  'GUISE_PREVIOUS_OPERATOR_TOKEN',
];
/** Variables with a secret that each role reads, as its main file in `packages/server` shows. */
const SECRETS = {
  migrate: DATABASE,
  api: [...SHARED, 'GUISE_SMTP_URL'],
  worker: [
    ...SHARED,
    'GUISE_ENCRYPTION_KEY',
    'GUISE_PREVIOUS_ENCRYPTION_KEY',
    'GUISE_MODERATION_URL',
    'GUISE_MODERATION_SECRET',
  ],
};
type Role = keyof typeof SECRETS;
const ROLES = Object.keys(SECRETS) as Role[];

let plain: Manifest[] = [];
before(() => {
  if (canRender) plain = render({});
});

const named = (kind: string, role: Role): Manifest =>
  ofKind(plain, kind).find(({ metadata }) => metadata.name === `swap-${role}`);
const containerOf = (role: Role): Manifest =>
  named(role === 'migrate' ? 'Job' : 'Deployment', role).spec.template.spec.containers[0];

test('each pod gets those keys of the Secret that its process reads, and no others', { skip }, () => {
  for (const role of ROLES) {
    const { env, envFrom } = containerOf(role);
    assert.equal(envFrom, undefined);
    const secrets = env.filter((each: Manifest) => each.valueFrom !== undefined);
    assert.deepEqual(secrets.map(({ name }: Manifest) => name).sort(), SECRETS[role].toSorted(), role);
    for (const { name, valueFrom } of secrets) {
      assert.deepEqual(valueFrom.secretKeyRef, {
        name: 'guise',
        key: name,
        optional: name !== 'DATABASE_URL',
      });
    }
  }
});

test('every secret that the service reads reaches somebody, and none is among the plain settings', async () => {
  const given = [...new Set(Object.values(SECRETS).flat())].sort();
  const looksSecret = /(?<!PUBLIC_|TIMESTAMP_)URL$|TOKEN$|SECRET$|ENCRYPTION_KEY$|ACCESS_KEY/;
  assert.deepEqual(
    Object.keys(VARIABLES)
      .filter((name) => looksSecret.test(name))
      .sort(),
    given,
  );
  const schema = JSON.parse(await readFile(path.join(CHART, 'values.schema.json'), 'utf8'));
  assert.deepEqual(schema.properties.config.propertyNames.not.enum.toSorted(), given);
});

test('every container, that of the migration too, has a limit of memory', { skip }, () => {
  for (const role of ROLES) {
    const { requests, limits } = containerOf(role).resources;
    assert.ok(requests.memory && requests.cpu && limits.memory, role);
  }
});

test('an image is of this release, and can be held fast by its digest', { skip }, async () => {
  const { version } = JSON.parse(await readFile(path.join(CHART, '../../../package.json'), 'utf8'));
  const digest = `sha256:${'0a'.repeat(32)}`;
  const held = render({ image: { digest } });
  for (const [manifests, image] of [
    [plain, `guise:${version}`],
    [held, `guise:${version}@${digest}`],
  ] as const) {
    const pods = manifests.flatMap(({ spec }) => spec.template?.spec.containers ?? []);
    assert.deepEqual(
      pods.map((pod: Manifest) => pod.image),
      ROLES.map(() => image),
    );
  }
});

test('every pod has a policy of its own for both directions, the migration before its job', { skip }, () => {
  for (const role of ROLES) {
    const { spec, metadata } = named('NetworkPolicy', role);
    assert.deepEqual(spec.policyTypes, ['Ingress', 'Egress']);
    assert.equal(spec.podSelector.matchLabels['app.kubernetes.io/component'], role);
    assert.equal(spec.ingress.length, role === 'api' ? 1 : 0);
    if (role !== 'migrate') continue;
    const job = named('Job', role).metadata.annotations;
    assert.equal(metadata.annotations['helm.sh/hook'], job['helm.sh/hook']);
    assert.ok(Number(metadata.annotations['helm.sh/hook-weight']) < Number(job['helm.sh/hook-weight'] ?? 0));
  }
});

test('the migration reaches names and database; API and workers public addresses as well', { skip }, () => {
  for (const role of ROLES) {
    const [dns, database, ...others] = named('NetworkPolicy', role).spec.egress;
    assert.ok(dns.to.length > 0 && dns.ports.every(({ port }: Manifest) => port === 53));
    assert.deepEqual(database, { ports: [{ port: 5432, protocol: 'TCP' }] });
    assert.equal(others.length, role === 'migrate' ? 0 : 1);
    for (const { to } of others) assert.ok(to.every((peer: Manifest) => peer.ipBlock.cidr));
  }
});

/** Makes a list that can be asked for addresses in these networks. */
function blockOf(cidrs: readonly string[]): BlockList {
  const block = new BlockList();
  for (const cidr of cidrs) {
    const [network, prefix] = cidr.split('/') as [string, string];
    block.addSubnet(network, Number(prefix), isIP(network) === 4 ? 'ipv4' : 'ipv6');
  }
  return block;
}

test('the addresses let out to are those that guise takes for public', async () => {
  const values: Manifest = parse(await readFile(path.join(CHART, 'values.yaml'), 'utf8'));
  const peers = values.networkPolicy.egress.internet.map(({ ipBlock }: Manifest) => ({
    inside: blockOf([ipBlock.cidr]),
    outside: blockOf(ipBlock.except),
  }));
  const isLetOut = (address: string): boolean => {
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    return peers.some(
      (peer: Manifest) => peer.inside.check(address, family) && !peer.outside.check(address, family),
    );
  };
  const isPublic = addressPolicy({ allowPrivate: false });
  const addresses = ['168.63.129.16', '169.254.169.254', '100.100.100.200', '8.8.8.8', '2606:4700::1111'];
  addresses.push('::1', '::ffff:10.0.0.1', '64:ff9b::a00:1', 'fd00:ec2::254', 'fe80::1', '2001:db8::1');
  for (let network = 0; network < 65_536; network += 1) {
    addresses.push(`${network >> 8}.${network & 255}.0.1`, `${network.toString(16)}::1`);
  }
  assert.deepEqual(
    addresses.filter((address) => isLetOut(address) !== isPublic(address)),
    [],
  );
});

test('what is named as allowed is let in and out, and no internet is no way everywhere', { skip }, () => {
  const monitoring = [{ namespaceSelector: { matchLabels: { name: 'monitoring' } } }];
  const bucket = { to: [{ ipBlock: { cidr: '10.0.0.7/32' } }], ports: [{ port: 9000 }] };
  const policies = ofKind(
    render({
      networkPolicy: {
        apiFrom: monitoring,
        metricsFrom: monitoring,
        egress: { internet: [], private: [bucket], database: { to: bucket.to } },
      },
    }),
    'NetworkPolicy',
  );
  for (const { metadata, spec } of policies) {
    const isMigrate = metadata.name === 'swap-migrate';
    assert.deepEqual(
      spec.ingress,
      isMigrate ? [] : [{ ports: [{ port: 'http' }], from: monitoring }],
      metadata.name,
    );
    assert.deepEqual(spec.egress[1], { to: bucket.to, ports: [{ port: 5432, protocol: 'TCP' }] });
    assert.deepEqual(spec.egress.slice(2), isMigrate ? [] : [bucket]);
  }
});
