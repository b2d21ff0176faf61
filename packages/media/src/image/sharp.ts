import sharp from 'sharp';

/**
 * libvips loaders of the formats that `sniffImage` accepts. libvips picks a loader by content, and
 * would also open SVG, TIFF, PDF and its own formats.
 */
const ACCEPTED_LOADERS = [
  'VipsForeignLoadJpeg',
  'VipsForeignLoadPng',
  'VipsForeignLoadWebp',
  'VipsForeignLoadNsgif',
  'VipsForeignLoadHeif',
];

let isConfigured = false;

/** Returns sharp with all other loaders switched off and without a cache between images. */
export function configuredSharp(): typeof sharp {
  if (!isConfigured) {
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: ACCEPTED_LOADERS });
    sharp.cache(false);
    isConfigured = true;
  }
  return sharp;
}
