/**
 * Networks of the operator that a task needs, by the keys that workers give them (`HeldNetwork`).
 */
export interface NeededNetworks {
  /** Network that draws the faces; absent if the mesh does. */
  readonly swapper?: string;
  /** Network that improves the drawn faces. */
  readonly restorer?: string;
  /** Networks that say what hides a face, beside guise's own. */
  readonly maskers?: readonly string[];
}

/** Separates the name and the digest of a key. Names do not contain it. */
const SEPARATOR = '@';
/** Length of a key's digest in hex digits. */
const DIGEST_LENGTH = 12;

/** Makes a network's key from its name and the SHA-256 of its files, in hex. */
export function networkKey(id: string, sha256: string): string {
  return `${id}${SEPARATOR}${sha256.slice(0, DIGEST_LENGTH)}`;
}

/** Returns the name and the digest in a network's key. */
export function partsOfKey(key: string): { readonly id: string; readonly digest: string } {
  const [id, digest] = key.split(SEPARATOR) as [string, string];
  return { id, digest };
}

/** Lists the keys of the networks that a task needs; null if it needs none. */
export function keysOf({ swapper, restorer, maskers = [] }: NeededNetworks = {}): readonly string[] | null {
  const keys = [swapper, restorer, ...maskers].filter((key) => key !== undefined);
  return keys.length === 0 ? null : keys;
}
