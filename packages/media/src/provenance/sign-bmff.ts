import { createHash } from 'node:crypto';
import type { WrittenFile } from '../write-durably.ts';
import { moveChunkOffsets, topLevelBoxes, type TopLevelBox } from '../container/bmff-boxes.ts';
import type { ManifestSigner, Origin } from './manifest-signer.ts';
import { rewriteFile, type RewriteSource } from '../rewrite-file.ts';
import { hashBoxOffset } from './stand-in.ts';
import { C2PA_USER_TYPE, wrapManifest, wrappedBytes } from './wrap-manifest.ts';

/**
 * Types of boxes that c2pa-wasm leaves out of a BMFF hash, besides its own box (C2PA, BMFF-based
 * hash).
 */
const UNHASHED_BOX_TYPES = new Set(['ftyp', 'mfra', 'free', 'skip']);
/** Largest movie header that is read into memory. */
const MAX_MOOV_BYTES = 64 * 1024 * 1024;

/**
 * Signs an MP4 or MOV file of any length in place, with buffers of 1 MiB and its `moov` in memory.
 * c2pa-wasm would hold the whole file four times (430 MB for a file of 95 MB) and never give the
 * memory back.
 * @throws Error for a file that is fragmented, damaged or already signed
 */
export async function signBmff(
  filePath: string,
  contentType: 'video/mp4' | 'video/quicktime',
  signer: ManifestSigner,
  origin: Origin,
): Promise<WrittenFile> {
  return await rewriteFile(filePath, async function* (source) {
    const boxes = await topLevelBoxes(source.file, source.sizeBytes);
    const fileType = checkLayout(boxes);
    const content = { ...origin, contentType };
    const insertedBytes = wrappedBytes(contentType, await signer.manifestBytes(content));
    const moov = await movedMoov(source, boxes, fileType.end, insertedBytes);
    const mediaSha256 = await hashMedia(source, boxes, moov, insertedBytes);
    const manifest = await signer.sign({ ...content, mediaSha256, at: fileType.end });

    yield* source.copy(0, fileType.end);
    yield wrapManifest(contentType, manifest);
    for (const box of boxes.slice(1)) {
      if (box.type === 'moov') yield moov;
      else yield* source.copy(box.start, box.end);
    }
  });
}

function checkLayout(boxes: readonly TopLevelBox[]): TopLevelBox {
  const types = boxes.map((box) => box.type);
  if (types[0] !== 'ftyp') throw new Error('The file does not begin with a file type box (ftyp).');
  if (types.filter((type) => type === 'moov').length !== 1)
    throw new Error('The file must have exactly one movie header (moov).');
  if (types.includes('moof')) throw new Error('Fragmented files cannot be signed.');
  if (boxes.some((box) => box.userType === C2PA_USER_TYPE)) throw new Error('The file is signed already.');
  return boxes[0]!;
}

/**
 * Reads the movie header and moves its offsets, because the manifest is inserted right after `ftyp`
 * and moves everything else.
 */
async function movedMoov(
  { file }: RewriteSource,
  boxes: readonly TopLevelBox[],
  from: number,
  deltaBytes: number,
): Promise<Buffer> {
  const { start, end } = boxes.find((box) => box.type === 'moov')!;
  if (end - start > MAX_MOOV_BYTES) throw new Error('The movie header is too large.');
  const moov = Buffer.alloc(end - start);
  const { bytesRead } = await file.read(moov, 0, moov.length, start);
  if (bytesRead < moov.length || moov.readUInt32BE(0) !== moov.length)
    throw new Error('The movie header is damaged.');
  moveChunkOffsets(moov, from, deltaBytes);
  return moov;
}

/**
 * Hashes each top-level box: first its offset as 8 bytes, then its bytes (C2PA, BMFF-based hash).
 */
async function hashMedia(
  { copy }: RewriteSource,
  boxes: readonly TopLevelBox[],
  moov: Buffer,
  deltaBytes: number,
): Promise<Buffer> {
  const hash = createHash('sha256');
  for (const { type, start, end } of boxes) {
    if (UNHASHED_BOX_TYPES.has(type)) continue;
    hashBoxOffset(hash, start + deltaBytes);
    if (type === 'moov') hash.update(moov);
    else for await (const piece of copy(start, end)) hash.update(piece);
  }
  return hash.digest();
}
