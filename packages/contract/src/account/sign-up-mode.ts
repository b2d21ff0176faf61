/**
 * Modes of sign-up. They are in a separate file, so that the command line need not load the schema
 * library, which takes 15 MB.
 */
export const SIGN_UP_MODES = ['open', 'invite', 'closed'] as const;
export type SignUpMode = (typeof SIGN_UP_MODES)[number];
