/** Keys of files, for as long as they are held. */
const FILE_KEYS = new WeakMap<File, number>();

let lastKey = 0;

/** Names a file for React: what one was found to be says nothing of the next in its place. */
export function fileKey(file: File): number {
  const key = FILE_KEYS.get(file) ?? ++lastKey;
  FILE_KEYS.set(file, key);
  return key;
}
