/** Length of the marker that starts every JPEG (ITU-T T.81, table B.1). */
const START_OF_IMAGE_BYTES = 2;

/** Marker of the JFIF header (ITU-T T.81, table B.1). */
const APP0_MARKER = 0xe0;

/** Marker of the segment that holds an ICC profile (ITU-T T.81, table B.1). */
const APP2_MARKER = 0xe2;

/** Start of that segment's body: a name, then piece 1 of 1 (ICC.1:2010, B.4). */
const ICC_PROFILE_PREFIX = Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1');

/**
 * Adds a profile of less than 65,519 bytes to a JPEG, after the JFIF header, which must come first.
 */
export function addIccProfile(jpeg: Uint8Array, profile: Uint8Array): Buffer {
  const bytes = Buffer.from(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength);
  const isJfif = bytes[START_OF_IMAGE_BYTES + 1] === APP0_MARKER;
  const at = isJfif
    ? START_OF_IMAGE_BYTES + 2 + bytes.readUInt16BE(START_OF_IMAGE_BYTES + 2)
    : START_OF_IMAGE_BYTES;
  const header = Buffer.of(0xff, APP2_MARKER, 0, 0);
  header.writeUInt16BE(2 + ICC_PROFILE_PREFIX.length + profile.length, 2);
  return Buffer.concat([bytes.subarray(0, at), header, ICC_PROFILE_PREFIX, profile, bytes.subarray(at)]);
}
