import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { Demuxer, Encoder, Muxer } from 'node-av/api';
import {
  AV_LOG_ERROR,
  AV_PIX_FMT_YUV420P,
  FF_ENCODER_LIBVPX_VP8,
  FF_ENCODER_LIBX264,
} from 'node-av/constants';
import { Frame, Log, Rational } from 'node-av/lib';

/**
 * Writes ten frames of 64 x 64 by a real muxer. MOV has its movie header after the media, MP4
 * before it.
 */
export async function sampleVideo(filePath: string, container: 'mp4' | 'mov' | 'webm'): Promise<void> {
  Log.setLevel(AV_LOG_ERROR);
  const codec = container === 'webm' ? FF_ENCODER_LIBVPX_VP8 : FF_ENCODER_LIBX264;
  const timeBase = new Rational(1, 25);
  using encoder = await Encoder.create(codec, { configure: (context) => (context.timeBase = timeBase) });
  const options = container === 'mp4' ? { movflags: '+faststart' } : {};
  await using muxer = await Muxer.open(filePath, { format: container, options });
  const stream = muxer.addStream(encoder);
  const drain = async () => {
    for (;;) {
      const packet = await encoder.receive();
      if (typeof packet !== 'object' || packet === null) return;
      await muxer.writePacket(packet, stream);
      packet.free();
    }
  };
  for (let index = 0; index < 10; index++) {
    using frame = greyFrame(index, timeBase);
    await encoder.encode(frame);
    await drain();
  }
  await encoder.flush();
  await drain();
}

function greyFrame(index: number, timeBase: Rational): Frame {
  const frame = new Frame();
  frame.alloc();
  frame.width = 64;
  frame.height = 64;
  frame.format = AV_PIX_FMT_YUV420P;
  frame.getBuffer(0);
  for (const plane of frame.data ?? []) plane.fill(20 * index);
  frame.pts = BigInt(index);
  frame.timeBase = timeBase;
  return frame;
}

/**
 * Lists every compressed frame as a real demuxer finds it: wrong chunk offsets give different
 * frames.
 */
export async function packetsOf(filePath: string): Promise<string[]> {
  await using input = await Demuxer.open(filePath);
  const packets: string[] = [];
  for await (using packet of input.packets()) if (packet) packets.push(packet.data!.toString('hex'));
  return packets;
}

test('the sample video has ten frames', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'guise-sample-'));
  try {
    for (const container of ['mp4', 'mov', 'webm'] as const) {
      const file = path.join(folder, `sample.${container}`);
      await sampleVideo(file, container);
      assert.equal((await packetsOf(file)).length, 10);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
