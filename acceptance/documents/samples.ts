import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { processVideo } from '@guise/media/clip/process-video.ts';
import { makeClip } from '@guise/media/video/test-clip.ts';
import { loadNodeAv } from '@guise/media/video/node-av.ts';
import sharp from 'sharp';

/** Where the faces of `team.jpg` are, so that the boxes of the page on groups mean two of them. */
const TEAM = { width: 1400, height: 700, side: 190, at: [185, 400, 600, 829], top: 50 } as const;
/** Where the two people of `talk.mov` are. */
const PAIR = { width: 560, height: 300, at: [20, 330], sides: [256, 200], top: 24 } as const;
const FRAMES_PER_SECOND = 5;
/** Long enough for the part from 2 to 8 seconds that the page on films swaps. */
const SECONDS = 9;

/** Writes the files that README and guide name, of computer-generated faces. */
export async function writeSamples(folder: string, face: Buffer, body: Buffer): Promise<void> {
  const second = await sharp(body).extract({ left: 490, top: 5, width: 200, height: 200 }).jpeg().toBuffer();
  const files: Record<string, Buffer> = {
    'face.jpg': face,
    'scene.jpg': body,
    'face-from-the-left.jpg': await sharp(face).rotate(4, { background: '#888' }).jpeg().toBuffer(),
    'one.jpg': body,
    'two.png': await sharp(face).png().toBuffer(),
    'ada.jpg': second,
    'bob.jpg': face,
    'team.jpg': await teamOf(face),
    'talk.mov': await clipOf('mov', [face, second]),
    'wave.gif': await clipOf('gif', [face, second]),
  };
  for (const [name, bytes] of Object.entries(files)) await writeFile(path.join(folder, name), bytes);
}

async function teamOf(face: Buffer): Promise<Buffer> {
  const { width, height, side, at, top } = TEAM;
  const input = await sharp(face).resize(side, side).toBuffer();
  return sharp({ create: { width, height, channels: 3, background: '#8a9a90' } })
    .composite(at.map((left) => ({ input, left, top })))
    .jpeg({ quality: 92 })
    .toBuffer();
}

/** Two people side by side, still. */
async function clipOf(container: 'mov' | 'gif', people: readonly Buffer[]): Promise<Buffer> {
  const av = (await loadNodeAv())!;
  const folder = await mkdtemp(path.join(tmpdir(), 'guise-samples-'));
  try {
    const { width, height, at, sides, top } = PAIR;
    const [plain, film, out] = ['plain.mov', 'film.mov', 'out.gif'].map((name) =>
      path.join(folder, name),
    ) as [string, string, string];
    const frames = (container === 'gif' ? 1 : SECONDS) * FRAMES_PER_SECOND;
    await makeClip(av, plain, {
      container: 'mov',
      width,
      height,
      ticks: Array.from({ length: frames }, (_, k) => 12 * k),
      timeBase: { num: 1, den: 12 * FRAMES_PER_SECOND },
    });
    const pictures = await Promise.all(
      people.map((each, k) => sharp(each).resize(sides[k], sides[k]).removeAlpha().raw().toBuffer()),
    );
    await processVideo({
      inputPath: plain,
      outputPath: film,
      container: 'mov',
      onFrame(frame) {
        for (const [k, data] of pictures.entries()) {
          const side = sides[k]!;
          frame.commitRgb(
            { x: at[k]!, y: top, width: side, height: side },
            { data, width: side, height: side },
          );
        }
      },
    });
    if (container === 'gif')
      await processVideo({ inputPath: film, outputPath: out, container, onFrame() {} });
    return await readFile(container === 'gif' ? out : film);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
