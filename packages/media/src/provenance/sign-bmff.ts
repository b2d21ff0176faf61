import { createHash, type Hash } from 'node:crypto';
import type { WrittenFile } from '../write-durably.ts';
import { moveChunkOffsets, topLevelBoxes, userBox, type TopLevelBox } from './bmff-boxes.ts';
import { blobOfBytes, loadC2pa } from './c2pa-module.ts';
import { BUILDER_SETTINGS, manifestDefinition, signerOf, type Claim } from './claim.ts';
import { resignManifest } from './resign-manifest.ts';
import { rewriteFile, type RewriteSource } from './rewrite-file.ts';
import type { SigningIdentity } from './signing-identity.ts';

/** C2PA, embedding into BMFF files: the user type of the box that holds the manifest. */
export const C2PA_USER_TYPE = 'd8fec3d61b0e483c92975828877ec481';
/** C2PA, BMFF-based hash: c2pa-wasm's exclusions of a BMFF hash, besides its own box. */
const NOT_HASHED = new Set(['ftyp', 'mfra', 'free', 'skip']);
/** The binding of a manifest to the boxes around it. */
const BINDING = 'c2pa.hash.bmff.v3';
const MAX_MOOV_BYTES = 64 * 1024 * 1024;

/**
 * Signs an MP4 or MOV file in place through buffers of 1 MiB (and its `moov`), whatever its length. c2pa-wasm would
 * hold the whole file four times, 430 MB for one of 95 MB, and never give the memory back. It signs a stand-in of a
 * few bytes here, which settles all of the manifest but three fields: the hash of the media, the hash of the assertion
 * that holds that, and the signature. They are replaced.
 * @throws Error for a file that is fragmented, damaged or signed already
 */
export async function signBmff(
  filePath: string,
  identity: SigningIdentity,
  claim: Claim,
): Promise<WrittenFile> {
  return await rewriteFile(filePath, async function* (source) {
    const boxes = await topLevelBoxes(source.file, source.sizeBytes);
    const fileType = checkLayout(boxes);
    const standIn = await signStandIn(identity, claim);
    const insertedBytes = manifestBox(standIn.manifest).length;
    const moov = await movedMoov(source, boxes, fileType.end, insertedBytes);
    const mediaHash = await hashMedia(source, boxes, moov, insertedBytes);

    yield* source.copy(0, fileType.end);
    const hashes = { from: standIn.mediaHash, to: mediaHash };
    yield manifestBox(resignManifest(standIn.manifest, hashes, identity, BINDING));
    for (const box of boxes.slice(1)) {
      if (box.type === 'moov') yield moov;
      else yield* source.copy(box.start, box.end);
    }
  });
}

function checkLayout(boxes: readonly TopLevelBox[]): TopLevelBox {
  const types = boxes.map((box) => box.type);
  if (types[0] !== 'ftyp') throw new Error('The file does not begin with its type.');
  if (types.filter((type) => type === 'moov').length !== 1)
    throw new Error('The file has not one movie header.');
  if (types.includes('moof')) throw new Error('Fragmented files cannot be signed.');
  if (boxes.some((box) => box.userType === C2PA_USER_TYPE)) throw new Error('The file is signed already.');
  return boxes[0]!;
}

/** The manifest lies right behind `ftyp`, so everything else moves. */
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

/** C2PA, BMFF-based hash: of each box at the top level its offset, 8 bytes, and then its bytes. */
async function hashMedia(
  { copy }: RewriteSource,
  boxes: readonly TopLevelBox[],
  moov: Buffer,
  deltaBytes: number,
): Promise<Buffer> {
  const hash = createHash('sha256');
  for (const { type, start, end } of boxes) {
    if (NOT_HASHED.has(type)) continue;
    hashOffset(hash, start + deltaBytes);
    if (type === 'moov') hash.update(moov);
    else for await (const piece of copy(start, end)) hash.update(piece);
  }
  return hash.digest();
}

function hashOffset(hash: Hash, offset: number): void {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(offset));
  hash.update(bytes);
}

interface StandIn {
  manifest: Buffer;
  /** The hash of the stand-in's media, which the manifest holds. */
  mediaHash: Buffer;
}

async function signStandIn(identity: SigningIdentity, claim: Claim): Promise<StandIn> {
  const fileType = Buffer.from('\0\0\0\x14ftypisom\0\0\x02\0isom', 'latin1');
  const media = Buffer.from('\0\0\0\x08mdat', 'latin1');
  const { WasmBuilder } = await loadC2pa();
  const builder = WasmBuilder.fromJson(manifestDefinition(claim), BUILDER_SETTINGS);
  try {
    const source = blobOfBytes(Buffer.concat([fileType, media]));
    const signed = await builder.signAndGetManifestBytes(signerOf(identity), [], 'video/mp4', source);
    const hash = createHash('sha256');
    hashOffset(hash, signed.asset.length - media.length);
    return { manifest: Buffer.from(signed.manifest), mediaHash: hash.update(media).digest() };
  } finally {
    builder.free();
  }
}

/** C2PA, embedding into BMFF files: version and flags, the purpose, the offset of a Merkle box (none), the manifest store. */
function manifestBox(manifest: Uint8Array): Buffer {
  const prefix = Buffer.from('\0\0\0\0manifest\0\0\0\0\0\0\0\0\0', 'latin1');
  return userBox(C2PA_USER_TYPE, Buffer.concat([prefix, manifest]));
}
