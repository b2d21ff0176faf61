/** Of this guise: in `guise --version` and in what every output says about its maker. */
export const GUISE_VERSION = '0.1.0';
