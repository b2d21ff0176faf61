/**
 * Who may make an account. Apart from the schemas, whose library is 15 MB that a command line tool
 * has no use for.
 */
export const SIGN_UP_MODES = ['open', 'invite', 'closed'] as const;
export type SignUpMode = (typeof SIGN_UP_MODES)[number];
