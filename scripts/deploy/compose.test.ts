import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';

const ROOT = path.join(import.meta.dirname, '../..');
const text = await readFile(path.join(ROOT, 'deploy/compose.yml'), 'utf8');
const PASSWORDS = { GUISE_DATABASE_PASSWORD: 'of-the-database', GUISE_BUCKET_SECRET: 'of-the-bucket' };
const hasCompose = spawnSync('docker-compose', ['--version']).status === 0;

interface Service {
  readonly image: string;
  readonly build?: { readonly dockerfile: string };
  readonly command?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly read_only?: boolean;
  readonly mem_limit?: string;
  readonly cpus?: number;
  readonly pids_limit?: number;
}

/** Reads the file with these variables, as Compose does. */
function read(variables: Record<string, string>): {
  services: Record<string, Service>;
  volumes: Record<string, null>;
} {
  const filled = text.replaceAll(/\$\{(\w+)(?:(:-|:\?)([^}]*))?\}/g, (_, name, sign, rest) => {
    const value = variables[name];
    if (value === undefined && sign !== ':-') throw new Error(`${name}: ${rest}`);
    return value ?? rest;
  });
  return parse(filled, { merge: true });
}

test('compose runs every role from one image, with nothing of it writable but its data', () => {
  const { services, volumes } = read(PASSWORDS);
  assert.deepEqual(Object.keys(services).sort(), ['api', 'bucket', 'migrate', 'postgres', 'worker']);
  for (const role of ['migrate', 'api', 'worker']) {
    const service = services[role]!;
    assert.deepEqual(service.command, role === 'migrate' ? [role] : ['start', role]);
    assert.equal(service.build?.dockerfile, 'deploy/Dockerfile');
    assert.equal(service.read_only, true);
    assert.match(service.environment.DATABASE_URL!, /^postgres:\/\//);
  }
  // Every named volume is declared, and none is declared in vain.
  const named = Object.values(services)
    .flatMap((service) => service.volumes ?? [])
    .filter((volume) => !volume.startsWith('/'))
    .map((volume) => volume.split(':')[0]!);
  assert.deepEqual(named.sort(), Object.keys(volumes).sort());
});

test('compose opens one port, to this machine alone unless told otherwise', () => {
  for (const [variables, opened] of [
    [{}, '127.0.0.1:3000:3000'],
    [{ GUISE_LISTEN: '0.0.0.0', GUISE_PORT: '80' }, '0.0.0.0:80:3000'],
  ] as const) {
    const { services } = read({ ...PASSWORDS, ...variables });
    const ports = Object.values(services).flatMap((service) => service.ports ?? []);
    assert.deepEqual(ports, [opened]);
  }
});

test('database and bucket have a password each, which only those who need it know', () => {
  const { services } = read(PASSWORDS);
  const whoKnow = (secret: string): string[] =>
    Object.keys(services).filter((name) => JSON.stringify(services[name]).includes(secret));
  assert.deepEqual(whoKnow('of-the-database').sort(), ['api', 'migrate', 'postgres', 'worker']);
  assert.deepEqual(whoKnow('of-the-bucket').sort(), ['api', 'bucket', 'worker']);
  for (const name of Object.keys(PASSWORDS)) {
    const { [name]: _, ...others } = PASSWORDS as Record<string, string>;
    assert.throws(() => read(others), new RegExp(`${name}: run the first command`));
  }
});

test("the command at the file's head makes the passwords, once, for their owner alone", async (context) => {
  const command = /^# {3}(\(umask .*)$/m.exec(text)![1]!;
  const folder = await mkdtemp(path.join(tmpdir(), 'guise-compose-'));
  context.after(() => rm(folder, { recursive: true }));
  await mkdir(path.join(folder, 'deploy'));
  const run = () => spawnSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8' });
  const first = run();
  assert.equal(first.status, 0, first.stderr);
  const file = path.join(folder, 'deploy/.env');
  const made = await readFile(file, 'utf8');
  const lines = made.trim().split('\n');
  assert.deepEqual(
    lines.map((line) => line.split('=')[0]),
    Object.keys(PASSWORDS),
  );
  const passwords = lines.map((line) => /=([0-9a-f]{48})$/.exec(line)?.[1]);
  assert.ok(passwords[0] && passwords[1] && passwords[0] !== passwords[1], made);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  // PostgreSQL would not know a second one.
  assert.notEqual(run().status, 0);
  assert.equal(await readFile(file, 'utf8'), made);

  assert.ok((await readFile(path.join(ROOT, 'docs/guide/containers.md'), 'utf8')).includes(command));
  for (const ignored of ['.gitignore', '.dockerignore']) {
    assert.match(await readFile(path.join(ROOT, ignored), 'utf8'), /^deploy\/\.env$/m);
  }
});

test('compose names the exact version of every image, its own of this release', async () => {
  const { version } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8'));
  for (const [name, { image }] of Object.entries(read(PASSWORDS).services)) {
    assert.match(image, /^[\w/]+:v?\d+\.\d+[\w.-]*$/, name);
    assert.equal(image === `guise:${version}`, !['postgres', 'bucket'].includes(name), image);
  }
});

test('every service has a limit of memory, cores and processes', () => {
  for (const [name, service] of Object.entries(read(PASSWORDS).services)) {
    assert.match(service.mem_limit ?? '', /^\d+[mg]$/, name);
    assert.ok(service.cpus! > 0 && service.pids_limit! > 0, name);
  }
});

test(
  'Compose itself reads the file, and refuses it without a password',
  { skip: !hasCompose && 'docker-compose is not installed' },
  async (context) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'guise-compose-'));
    context.after(() => rm(folder, { recursive: true }));
    // The Compose of Debian 12 takes no name from the file.
    await writeFile(path.join(folder, 'compose.yml'), text.replace(/^name: .*$/m, ''));
    const configure = async (variables: Record<string, string>) => {
      const lines = Object.entries(variables).map((each) => each.join('='));
      await writeFile(path.join(folder, '.env'), lines.join('\n'));
      return spawnSync('docker-compose', ['-f', path.join(folder, 'compose.yml'), 'config'], {
        encoding: 'utf8',
        env: { PATH: process.env.PATH },
      });
    };
    const { status, stdout, stderr } = await configure(PASSWORDS);
    assert.equal(status, 0, stderr);
    assert.deepEqual(Object.keys(parse(stdout).services), Object.keys(read(PASSWORDS).services).sort());
    for (const name of Object.keys(PASSWORDS)) {
      const refused = await configure({ ...PASSWORDS, [name]: '' });
      assert.notEqual(refused.status, 0);
      assert.match(refused.stderr, /run the first command at the head of deploy\/compose\.yml/);
    }
  },
);
