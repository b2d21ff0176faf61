import v8 from 'node:v8';

/**
 * Pictures count for V8 while they are in use, too: as it likes it, it marks its whole heap for
 * every second photo, though next to nothing can be given back by then (`releaseImage`), for a
 * tenth of the CPU time that a photo takes.
 */
export function collectSeldom(): void {
  v8.setFlagsFromString('--heap-growing-percent=300');
}

/** As V8 likes it: a video's frames hardly leave garbage, and what memory it takes is watched. */
export function collectAsUsual(): void {
  v8.setFlagsFromString('--heap-growing-percent=0');
}
