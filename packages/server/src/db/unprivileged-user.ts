import { spawnSync } from 'node:child_process';
import { chownSync, lchownSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** How to run PostgreSQL, which refuses to run as root. */
export interface RunAs {
  /** Options of spawn; empty to run as the current user. */
  readonly credentials: { readonly uid?: number; readonly gid?: number };
  /** Returns the command that runs `file`, for spawn. */
  command(file: string, args: readonly string[]): [string, string[]];
  /** Owner of the files, as seen outside of any namespace. */
  readonly ownerUid: number;
  readonly ownerGid: number;
}

/**
 * User id of `postgres` and its files inside the user namespace. Outside of it, the user is still
 * root.
 */
const NAMESPACE_ID = 1000;

/**
 * User id that only PostgreSQL uses. Any process with this id could read all stored data, and other
 * programs run as `postgres` and `nobody`. The id has no name, like those of the engines, which
 * follow it.
 */
const OWN_ID = 65_520;

/** Named users that exist on some systems. */
const NAMED_USERS = ['postgres', 'nobody'];

/**
 * Chooses the user that runs PostgreSQL, which refuses root. If we are root: its own user id; if a
 * container has no such id, the owner of the data or a named user that can reach the binaries and
 * the data; otherwise root of a user namespace. If we are not root: the current user.
 * @param dataDir parent of the cluster, which must exist.
 * @param clusterDir the cluster, which need not exist.
 * @throws if none of these is possible on this machine.
 */
export function chooseUser(binary: string, dataDir: string, clusterDir: string): RunAs {
  const uid = process.getuid?.() ?? 0;
  if (uid !== 0) return asUser({}, uid, process.getgid?.() ?? 0);
  const owner = statSync(clusterDir, { throwIfNoEntry: false });
  const named = findNamedUser(binary, dataDir);
  const candidates = [
    // Without a named user, nobody could make the cluster of this user.
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
 * Chooses the user that runs initdb for `user`, because initdb requires a user with a name. The new
 * cluster is given to `user` before it contains any data.
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
 * Changes the owner of a folder and its content to the user, if another user owns it. Only root can
 * do this, and only root needs it.
 */
export function giveTo(user: RunAs, folder: string): void {
  if (process.getuid?.() !== 0 || statSync(folder).uid === user.ownerUid) return;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    lchownSync(path.join(entry.parentPath, entry.name), user.ownerUid, user.ownerGid);
  }
  // The folder itself is changed last, so that an interrupted change is repeated.
  chownSync(folder, user.ownerUid, user.ownerGid);
}
