/** Folder of an engine process's warm-up files, in the working folder of the process. */
export const WARM_UP_DIR = 'warm-up';
