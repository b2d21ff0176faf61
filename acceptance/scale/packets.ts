import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { NodeAv } from '@guise/media/video/node-av.ts';

/**
 * Lists the packets of a film, each with its track, times, length and the SHA-256 of its bytes:
 * all of it but marks and signature.
 */
export async function readAllPackets(av: NodeAv, film: Buffer): Promise<string[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'guise-packets-'));
  const file = path.join(folder, 'film');
  await writeFile(file, film);
  const format = new av.FormatContext();
  const packet = new av.Packet();
  packet.alloc();
  try {
    av.FFmpegError.throwIfError(format.openInputSync(`file:${file}`), 'film');
    const packets: string[] = [];
    while (format.readFrameSync(packet) >= 0) {
      const { streamIndex, pts, dts, duration, flags, data } = packet;
      const sha256 = createHash('sha256').update(data!).digest('hex');
      packets.push([streamIndex, pts, dts, duration, flags, sha256].join(' '));
      packet.unref();
    }
    return packets;
  } finally {
    packet.free();
    format.closeInputSync();
    await rm(folder, { recursive: true, force: true });
  }
}
