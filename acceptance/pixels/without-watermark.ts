/** Turns the watermark off. Tests that compare pixels import it before `photo-setup.ts`. */
process.env.GUISE_WATERMARK = 'off';
