import v8 from 'node:v8';

/**
 * A photo's pictures and planes are 15 MB, by which V8's limit is reached with every photo: it then marks its whole heap, for a
 * tenth of the CPU time that a photo takes. Lets them wait for two or three photos.
 */
export function collectSeldom(): void {
  v8.setFlagsFromString('--heap-growing-percent=300');
}

/** As V8 likes it: a video's frames hardly leave garbage, and what memory it takes is watched. */
export function collectAsUsual(): void {
  v8.setFlagsFromString('--heap-growing-percent=0');
}
