/** Version of guise, as `guise --version` and the marks of every output say. */
export const GUISE_VERSION = '0.2.0';
