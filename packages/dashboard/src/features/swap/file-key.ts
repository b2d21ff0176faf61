/** Keys of files. They are forgotten together with the files. */
const FILE_KEYS = new WeakMap<File, number>();

let lastKey = 0;

/**
 * Returns a React key for a file, so that the state of one file is not used for the next file in
 * its place.
 */
export function fileKey(file: File): number {
  const key = FILE_KEYS.get(file) ?? ++lastKey;
  FILE_KEYS.set(file, key);
  return key;
}
