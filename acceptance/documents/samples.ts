import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ClipPart } from '@guise/contract/work.ts';
import { composeClip } from '@guise/engine-host/testing/compose-clip.ts';
import { processVideo } from '@guise/media/clip/process-video.ts';
import { loadNodeAv } from '@guise/media/video/node-av.ts';
import sharp from 'sharp';

/** Places of the faces in `team.jpg`: the boxes of the page on groups mean three of them. */
const TEAM = { width: 1400, height: 700, side: 190, at: [185, 400, 600, 829], top: 50 } as const;
/** Where the two people of `talk.mov` are. */
const PAIR = { width: 560, height: 300, at: [20, 330], sides: [256, 200], top: 24 } as const;
const FRAMES_PER_SECOND = 3;
/** Long enough for the part from 2 to 8 seconds that the page on videos swaps. */
const SECONDS = 9;

/** Writes the files that README and guide name, of computer-generated faces. */
export async function writeSamples(folder: string, face: Buffer, body: Buffer): Promise<void> {
  const second = await sharp(body).extract({ left: 490, top: 5, width: 200, height: 200 }).jpeg().toBuffer();
  const clips = await pairClips([face, second]);
  const files: Record<string, Buffer> = {
    'face.jpg': face,
    'scene.jpg': body,
    'face-from-the-left.jpg': await sharp(face).rotate(4, { background: '#888' }).jpeg().toBuffer(),
    'one.jpg': body,
    'two.png': await sharp(face).png().toBuffer(),
    'wall.jpg': await wall(),
    'ada.jpg': second,
    'bob.jpg': face,
    'cleo.jpg': second,
    'team.jpg': await teamOf(face),
    'talk.mov': clips.mov,
    'wave.gif': clips.gif,
  };
  for (const [name, bytes] of Object.entries(files)) await writeFile(path.join(folder, name), bytes);
}

/** Makes a picture that shows nobody. */
function wall(): Promise<Buffer> {
  return sharp({ create: { width: 640, height: 480, channels: 3, background: '#c8bca8' } })
    .jpeg()
    .toBuffer();
}

async function teamOf(face: Buffer): Promise<Buffer> {
  const { width, height, side, at, top } = TEAM;
  const input = await sharp(face).resize(side, side).toBuffer();
  return sharp({ create: { width, height, channels: 3, background: '#8a9a90' } })
    .composite(at.map((left) => ({ input, left, top })))
    .jpeg({ quality: 92 })
    .toBuffer();
}

/** Makes a clip of two people side by side, who do not move, in each container. */
async function pairClips(people: readonly Buffer[]): Promise<{ readonly mov: Buffer; readonly gif: Buffer }> {
  const av = (await loadNodeAv())!;
  const folder = await mkdtemp(path.join(tmpdir(), 'guise-samples-'));
  try {
    const { width, height, at, sides, top } = PAIR;
    const tiles = await Promise.all(
      people.map(async (picture, k) => {
        const side = sides[k]!;
        const data = await sharp(picture).resize(side, side).removeAlpha().raw().toBuffer();
        return { tile: { name: `${k}`, data, width: side, height: side }, x: at[k]!, y: top };
      }),
    );
    const inputPath = path.join(folder, 'pair.mp4');
    const frames = SECONDS * FRAMES_PER_SECOND;
    await composeClip(av, inputPath, {
      width,
      height,
      frames,
      framesPerSecond: FRAMES_PER_SECOND,
      tiles: () => tiles,
    });
    const copyAs = async (container: 'mov' | 'gif', part?: ClipPart): Promise<Buffer> => {
      const outputPath = path.join(folder, `pair.${container}`);
      await processVideo({ inputPath, outputPath, container, part, onFrame() {} });
      return readFile(outputPath);
    };
    return { mov: await copyAs('mov'), gif: await copyAs('gif', { startSeconds: 0, endSeconds: 1 }) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
