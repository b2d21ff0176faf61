import sharp from 'sharp';

// The loaders for what `sniffImage` accepts. libvips would also open SVG, TIFF, PDF and its own
// formats, and picks the loader by content itself.
const LOADERS = [
  'VipsForeignLoadJpeg',
  'VipsForeignLoadPng',
  'VipsForeignLoadWebp',
  'VipsForeignLoadNsgif',
  'VipsForeignLoadHeif',
];

let isConfigured = false;

/**
 * sharp with every loader but those of the accepted formats switched off, and nothing kept between
 * images.
 */
export function configuredSharp(): typeof sharp {
  if (!isConfigured) {
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: LOADERS });
    sharp.cache(false);
    isConfigured = true;
  }
  return sharp;
}
