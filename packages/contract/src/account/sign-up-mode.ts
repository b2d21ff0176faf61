/**
 * Modes of sign-up. This is not in the file of the schemas, so that the command line does not load
 * their library of 15 MB.
 */
export const SIGN_UP_MODES = ['open', 'invite', 'closed'] as const;
export type SignUpMode = (typeof SIGN_UP_MODES)[number];
