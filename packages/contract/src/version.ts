/** Version of guise, shown by `guise --version` and in the provenance data of every output. */
export const GUISE_VERSION = '0.2.0';
