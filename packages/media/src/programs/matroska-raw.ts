/** Length of a tick: a microsecond, finer than any container's. */
const NANOSECONDS_PER_TICK = 1000;

/**
 * Makes the start of the smallest Matroska stream that carries raw I420 pictures (RFC 9559).
 * Through a pipe, only such a stream gives `ffmpeg` a time for each picture; rawvideo and Y4M have
 * one rate.
 */
export function matroskaHead(width: number, height: number): Buffer {
  const ebml = element('1a45dfa3', [text('4282', 'matroska'), unsigned('4287', 4), unsigned('4285', 2)]);
  const info = element('1549a966', [unsigned('2ad7b1', NANOSECONDS_PER_TICK)]);
  const video = element('e0', [unsigned('b0', width), unsigned('ba', height), text('2eb524', 'I420')]);
  const track = element('ae', [
    unsigned('d7', 1),
    unsigned('73c5', 1),
    unsigned('83', 1),
    text('86', 'V_UNCOMPRESSED'),
    video,
  ]);
  // The segment's length is unknown: clusters follow until the pipe closes.
  const segment = Buffer.from('1853806701ffffffffffffff', 'hex');
  return Buffer.concat([ebml, segment, info, element('1654ae6b', [track])]);
}

/**
 * Makes the bytes before one picture. Each picture has a cluster of its own, because a block's own
 * time has only 16 bits.
 */
export function matroskaFrameHead(microseconds: number, pictureBytes: number): Buffer {
  const time = unsigned('e7', microseconds);
  const block = Buffer.from([0x81, 0, 0, 0x80]);
  const blockBytes = block.length + pictureBytes;
  const head = Buffer.concat([Buffer.from('a3', 'hex'), size(blockBytes), block]);
  return Buffer.concat([
    Buffer.from('1f43b675', 'hex'),
    size(time.length + head.length + pictureBytes),
    time,
    head,
  ]);
}

function element(id: string, children: Buffer[]): Buffer {
  const body = Buffer.concat(children);
  return Buffer.concat([Buffer.from(id, 'hex'), size(body.length), body]);
}

function unsigned(id: string, value: number): Buffer {
  const body = Buffer.alloc(8);
  body.writeBigUInt64BE(BigInt(value));
  return element(id, [body]);
}

function text(id: string, value: string): Buffer {
  return element(id, [Buffer.from(value, 'latin1')]);
}

/** Makes a length in the eight-byte form. */
function size(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUIntBE(value, 2, 6);
  bytes[0] = 1;
  return bytes;
}
