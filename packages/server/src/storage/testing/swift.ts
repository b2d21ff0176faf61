import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { S3Config } from '../../config/config.ts';

const START_LIMIT_MS = 180_000;
const PARTS = ['account', 'container', 'object'] as const;
/**
 * Python code that runs one Swift server with settings outside of /etc. The server ends when this
 * process ends, for whatever reason.
 */
const RUN = `
import ctypes, runpy, signal, sys
ctypes.CDLL(None).prctl(1, signal.SIGKILL)
from swift.common import utils
utils.set_swift_dir(sys.argv.pop(1))
sys.argv.pop(0)
runpy.run_path(sys.argv[0], run_name='__main__')
`;

/** Python code that makes the ring of each part, whose port follows its name, in a folder. */
const MAKE_RINGS = `
import sys
from swift.common.ring import RingBuilder
folder, *parts = sys.argv[1:]
for part, port in zip(parts[::2], parts[1::2]):
    builder = RingBuilder(2, 1, 0)
    builder.add_dev(dict(region=1, zone=1, ip='127.0.0.1', port=int(port), device='d1', weight=1))
    builder.rebalance()
    builder.get_ring().save(f'{folder}/{part}.ring.gz')
`;

/** OpenStack Swift with its S3 interface on this machine: a real object store for tests. */
export interface Swift {
  /** Configuration of the store; its bucket does not exist yet. */
  readonly config: S3Config;
  stop(): Promise<void>;
}

/**
 * Returns whether Swift is installed (Debian: swift-proxy, swift-account, swift-container,
 * swift-object).
 */
export function isSwiftInstalled(): boolean {
  try {
    for (const part of [...PARTS, 'proxy'])
      execFileSync('which', [`swift-${part}-server`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** @param dir an empty folder for settings and objects. */
export async function startSwift(dir: string): Promise<Swift> {
  const ports = await freePorts(PARTS.length + 1);
  const proxyPort = ports.pop()!;
  const settings = path.join(dir, 'settings');
  await mkdir(settings, { recursive: true });
  await mkdir(path.join(dir, 'devices', 'd1'), { recursive: true });
  const write = (name: string, text: string): Promise<void> => writeFile(path.join(settings, name), text);
  const common = `[DEFAULT]
bind_ip = 127.0.0.1
workers = 0
user = ${os.userInfo().username}
swift_dir = ${settings}
devices = ${path.join(dir, 'devices')}
mount_check = false
fallocate_reserve = 0
log_address = ${path.join(dir, 'no-syslog')}
`;
  await write(
    'swift.conf',
    '[swift-hash]\nswift_hash_path_suffix = test\n[storage-policy:0]\nname = default\ndefault = yes\n',
  );
  for (const [k, part] of PARTS.entries())
    await write(
      `${part}.conf`,
      `${common}bind_port = ${ports[k]}\n[pipeline:main]\npipeline = healthcheck ${part}-server\n[filter:healthcheck]\nuse = egg:swift#healthcheck\n[app:${part}-server]\nuse = egg:swift#${part}\n`,
    );
  const parts = PARTS.flatMap((part, k) => [part, String(ports[k])]);
  await promisify(execFile)('/usr/bin/python3', ['-c', MAKE_RINGS, settings, ...parts]);
  await write(
    'proxy.conf',
    `${common}bind_port = ${proxyPort}
[pipeline:main]
pipeline = catch_errors healthcheck proxy-logging cache s3api tempauth proxy-logging proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:proxy-logging]
use = egg:swift#proxy_logging
[filter:healthcheck]
use = egg:swift#healthcheck
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
`,
  );
  const servers = [...PARTS, 'proxy'].map((part) =>
    spawn(
      '/usr/bin/python3',
      ['-c', RUN, settings, `/usr/bin/swift-${part}-server`, path.join(settings, `${part}.conf`)],
      {
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    ),
  );
  const stop = async (): Promise<void> => {
    await Promise.all(servers.map(end));
    await rm(dir, { recursive: true, force: true });
  };
  try {
    await untilHealthy([...ports, proxyPort], servers);
  } catch (error) {
    await stop();
    throw error;
  }
  const endpoint = `http://127.0.0.1:${proxyPort}`;
  const credentials = { accessKeyId: 'test:tester', secretAccessKey: 'testing' };
  return { config: { endpoint, region: 'us-east-1', bucket: 'media', credentials }, stop };
}

async function untilHealthy(ports: readonly number[], servers: readonly ChildProcess[]): Promise<void> {
  let said = '';
  for (const { stderr } of servers) stderr!.setEncoding('utf8').on('data', (text: string) => (said += text));
  const deadline = performance.now() + START_LIMIT_MS;
  while (!(await Promise.all(ports.map(isHealthy))).every(Boolean)) {
    const hasEnded = servers.some(({ exitCode }) => exitCode !== null);
    if (hasEnded || performance.now() > deadline) throw new Error(`Swift did not start: ${said}`);
    await delay(50);
  }
}

function isHealthy(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/healthcheck`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGKILL');
  await ended;
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => (server.close(), once(server, 'close'))));
  return ports;
}
