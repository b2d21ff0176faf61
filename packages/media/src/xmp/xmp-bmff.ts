import { open } from 'node:fs/promises';
import type { WrittenFile } from '../write-durably.ts';
import { topLevelBoxes, userBox } from '../container/bmff-boxes.ts';
import { rewriteFile } from '../rewrite-file.ts';

/** User type of the `uuid` box that holds the packet (XMP part 3, ISO 16684-3). */
const XMP_USER_TYPE = 'be7acfcb97a942e89c71999491e3afac';

/** Longest packet that is read. A longer packet counts as missing. */
const MAX_PACKET_BYTES = 1024 * 1024;

/**
 * Appends the packet to an MP4 or MOV file and removes an earlier packet. All other bytes keep
 * their order.
 * @throws Error for a damaged file
 */
export async function writeXmpToBmff(filePath: string, packet: string): Promise<WrittenFile> {
  return await rewriteFile(filePath, async function* ({ file, sizeBytes, copy }) {
    const boxes = await topLevelBoxes(file, sizeBytes);
    // The last box's length may be 0, which means "to the end of the file". An appended box would
    // become part of that box.
    const lastStart = boxes.at(-1)?.start ?? 0;
    const head = Buffer.alloc(4);
    await file.read(head, 0, head.length, lastStart);
    if (boxes.length === 0 || head.readUInt32BE(0) === 0)
      throw new Error('Nothing can be appended to the file.');
    for (const box of boxes) if (box.userType !== XMP_USER_TYPE) yield* copy(box.start, box.end);
    yield userBox(XMP_USER_TYPE, Buffer.from(packet));
  });
}

/**
 * Reads the packet of an MP4 or MOV file; null if it has none.
 * @throws Error for a damaged file
 */
export async function readXmpFromBmff(filePath: string): Promise<string | null> {
  await using file = await open(filePath, 'r');
  const boxes = await topLevelBoxes(file, (await file.stat()).size);
  const box = boxes.find((each) => each.userType === XMP_USER_TYPE);
  if (!box || box.end - box.bodyStart > MAX_PACKET_BYTES) return null;
  const packet = Buffer.alloc(box.end - box.bodyStart);
  await file.read(packet, 0, packet.length, box.bodyStart);
  return packet.toString('utf8');
}
