import { spawnSync } from 'node:child_process';
import { chownSync, lchownSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** Means to run PostgreSQL, which refuses root, from this process. */
export interface RunAs {
  /** Options of spawn; empty to run as ourselves. */
  readonly credentials: { readonly uid?: number; readonly gid?: number };
  /** The command that runs `file`, for spawn. */
  command(file: string, args: readonly string[]): [string, string[]];
  /** Owner of the files it works on, outside of any namespace. */
  readonly ownerUid: number;
  readonly ownerGid: number;
}

/**
 * The user that `postgres` and its files belong to inside the user namespace; outside it is still
 * root.
 */
const NAMESPACE_ID = 1000;

/**
 * Number of a user that nobody is but PostgreSQL: whoever has its number reads all that it stores.
 * Others' processes run as `postgres` and `nobody`. It has no name, as those of the engines, which
 * come after it.
 */
const OWN_ID = 65_520;

/** Users that have a name, on one system or another. */
const NAMED_USERS = ['postgres', 'nobody'];

/**
 * Chooses the user that runs PostgreSQL, which refuses root. If we are root: one of its own; in a
 * container that has no such number the owner of the data or a named user, whichever can reach the
 * binaries and the data; else root of a user namespace. If not: ourselves.
 * @param dataDir parent of the cluster, which must exist.
 * @param clusterDir the cluster, which need not exist.
 * @throws if this machine offers none of them.
 */
export function chooseUser(binary: string, dataDir: string, clusterDir: string): RunAs {
  const uid = process.getuid?.() ?? 0;
  if (uid !== 0) return asUser({}, uid, process.getgid?.() ?? 0);
  const owner = statSync(clusterDir, { throwIfNoEntry: false });
  const named = findNamedUser(binary, dataDir);
  const candidates = [
    // Without a named one nobody could make its cluster.
    ...(owner !== undefined || named !== undefined ? [{ uid: OWN_ID, gid: OWN_ID }] : []),
    ...(owner !== undefined && owner.uid !== 0 ? [{ uid: owner.uid, gid: owner.gid }] : []),
  ];
  const reachable = candidates.find((user) => canReach(user, binary, dataDir)) ?? named;
  if (reachable !== undefined) return asUser(reachable, reachable.uid, reachable.gid);
  const namespace = ['-U', `--map-user=${NAMESPACE_ID}`, `--map-group=${NAMESPACE_ID}`];
  if (spawnSync('unshare', [...namespace, 'true']).status === 0) {
    return {
      credentials: {},
      command: (file, args) => ['unshare', [...namespace, file, ...args]],
      ownerUid: 0,
      ownerGid: 0,
    };
  }
  throw new Error(
    'PostgreSQL does not run as root, and no other user can reach its files here: start guise as an ordinary user, or set DATABASE_URL.',
  );
}

/**
 * Chooses the user that makes a cluster for `user`: initdb asks for its name. A new cluster holds
 * nothing yet, and is given to `user` before it does.
 */
export function chooseMaker(user: RunAs, initdb: string, dataDir: string): RunAs {
  if (user.ownerUid !== OWN_ID) return user;
  const named = findNamedUser(initdb, dataDir);
  return named === undefined ? user : asUser(named, named.uid, named.gid);
}

function findNamedUser(binary: string, dataDir: string): { uid: number; gid: number } | undefined {
  return NAMED_USERS.flatMap(lookUpUser).find((user) => canReach(user, binary, dataDir));
}

function asUser(credentials: RunAs['credentials'], ownerUid: number, ownerGid: number): RunAs {
  return { credentials, command: (file, args) => [file, [...args]], ownerUid, ownerGid };
}

function lookUpUser(name: string): { uid: number; gid: number }[] {
  const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }));
  if (uid?.status !== 0 || gid?.status !== 0) return [];
  return [{ uid: Number(uid.stdout), gid: Number(gid.stdout) }];
}

function canReach(user: { uid: number; gid: number }, binary: string, dataDir: string): boolean {
  const test = 'test -x "$1" && test -r "$1" && test -x "$2"';
  return spawnSync('/bin/sh', ['-c', test, 'sh', binary, dataDir], { ...user, cwd: '/' }).status === 0;
}

/**
 * Gives a folder and everything in it to the user if it is another's, which only root can and needs
 * to do.
 */
export function giveTo(user: RunAs, folder: string): void {
  if (process.getuid?.() !== 0 || statSync(folder).uid === user.ownerUid) return;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    lchownSync(path.join(entry.parentPath, entry.name), user.ownerUid, user.ownerGid);
  }
  // Last, so that a change cut off half way is done again.
  chownSync(folder, user.ownerUid, user.ownerGid);
}
