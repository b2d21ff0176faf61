/** ITU-T T.81, table B.1: start of image, and application segments 0 (JFIF) and 2. */
const START_OF_IMAGE_BYTES = 2;
const APP0 = 0xe0;
const APP2 = 0xe2;
/** ICC.1:2010, B.4: the name, and that this is the first of one pieces. */
const NAME = Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1');

/**
 * The same JPEG with a profile of less than 65,519 bytes, behind its JFIF header, which has to be
 * first.
 */
export function addIccProfile(jpeg: Uint8Array, profile: Uint8Array): Buffer {
  const bytes = Buffer.from(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength);
  const isJfif = bytes[START_OF_IMAGE_BYTES + 1] === APP0;
  const at = isJfif
    ? START_OF_IMAGE_BYTES + 2 + bytes.readUInt16BE(START_OF_IMAGE_BYTES + 2)
    : START_OF_IMAGE_BYTES;
  const header = Buffer.of(0xff, APP2, 0, 0);
  header.writeUInt16BE(2 + NAME.length + profile.length, 2);
  return Buffer.concat([bytes.subarray(0, at), header, NAME, profile, bytes.subarray(at)]);
}
