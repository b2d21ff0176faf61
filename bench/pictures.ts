import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import sharp from 'sharp';

/** The pictures every figure is measured with: computer-generated, always there, the same on every machine. */
export interface BenchPictures {
  /** JPEG of the source face, 512 x 512. */
  readonly source: Buffer;
  /** JPEG of the target, 1000 x 1000: one megapixel, a large face. */
  readonly target: Buffer;
}

export async function benchPictures(): Promise<BenchPictures> {
  const { face, body } = await readSampleFaces();
  const head = await cropToHead(body);
  return { source: await resized(head, 512), target: await resized(face, 1000) };
}

/** The figure's upper part, so that its face is large enough to be a source. */
async function cropToHead(body: Buffer): Promise<Buffer> {
  const { width, height } = await sharp(body).metadata();
  const side = Math.round(Math.min(width, height) / 2);
  return sharp(body)
    .extract({ left: Math.round((width - side) / 2), top: 0, width: side, height: side })
    .toBuffer();
}

function resized(picture: Buffer, side: number): Promise<Buffer> {
  return sharp(picture)
    .resize(side, side, { fit: 'cover', position: 'top' })
    .jpeg({ quality: 92 })
    .toBuffer();
}
