/** Paths of the pages for visitors who are not signed in. */
const DOOR_PATHS = [
  '/sign-in',
  '/sign-up',
  '/forgot-password',
  '/verify-email',
  '/confirm-email',
  '/reset-password',
  '/sign-in/link',
] as const;
export type DoorPath = (typeof DOOR_PATHS)[number];

/** Returns whether a path is a page for visitors who are not signed in. */
export function isDoorway(path: string): path is DoorPath {
  return (DOOR_PATHS as readonly string[]).includes(path);
}
