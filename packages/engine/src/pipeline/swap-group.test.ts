import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RgbImage } from '@guise/kernels/image.ts';
import { triangleSpans } from '@guise/kernels/triangle-spans.ts';
import sharp from 'sharp';
import { fixture, skipWithoutFixtures } from '../../../../scripts/fixtures.ts';
import { loadCanonicalFace } from '../face/geometry/canonical-face.ts';
import { landmarkDistance } from '../face/geometry/landmark-distance.ts';
import { RETRACTED_REACH } from '../mesh/target/retract-beard.ts';
import { CHIN, FACE_OVAL, TOP, UPPER_LIP } from '../mesh/uv/face-regions.ts';
import { beardMesh, beardReach } from '../mesh/shape/beard-mesh.ts';
import { COARSE_SIDE } from '../mesh/uv/atlas-layout.ts';
import { createAtlasLayouts } from '../mesh/uv/atlas-layouts.ts';
import type { Face } from '../face/geometry/face.ts';
import { readSampleFaces } from '../samples/sample-faces.ts';
import type { GroupReplacement } from './swap-group.ts';
import { engine } from './testing/test-engine.ts';

const full = { faceRestoreVisibility: 1, restoreVisibility: 1 };

const samples = await readSampleFaces();
const face = await decode(samples.face);
const body = await decode(samples.body);
// Three faces in a row, with noise around them, which only an exact copy preserves.
const [width, height] = [1000, 400];
const noise = Buffer.from(
  Uint8Array.from({ length: width * height * 3 }, (_, at) => (at * 2_654_435_761) >>> 24),
);
const turned = await sharp(samples.face).flop().resize(200).toBuffer();
const group = await decode(
  await sharp(noise, { raw: { width, height, channels: 3 } })
    .composite([
      { input: samples.face, left: 60, top: 70 },
      { input: turned, left: 400, top: 100 },
      { input: samples.face, left: 700, top: 70 },
    ])
    .png()
    .toBuffer(),
);

async function decode(input: Buffer | string): Promise<RgbImage> {
  const { data, info } = await sharp(input)
    .rotate()
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data: new Uint8Array(data), width: info.width, height: info.height };
}

function replace(faceIndex: number, source: RgbImage, name = 'targetFace0'): GroupReplacement {
  return { name, source: async () => source, faceIndex };
}

/**
 * Returns a mask that is 1 where a pixel's centre lies inside the mesh of one of these faces, with
 * the longest beard, or so near its jaw that a shaved beard may have been there.
 */
async function covered(faces: readonly Face[], { width, height }: RgbImage): Promise<Uint8Array> {
  const canonical = await loadCanonicalFace();
  const { triangles } = canonical;
  const longest = new Float32Array(COARSE_SIDE ** 2).fill(0.11);
  const reach = beardReach(null, longest, createAtlasLayouts(canonical)(COARSE_SIDE));
  const inside = new Uint8Array(width * height);
  for (const { landmarks } of faces) {
    const mesh = beardMesh(landmarks, reach);
    const around = mesh.slice();
    const face = landmarkDistance(landmarks, TOP, CHIN);
    for (const v of FACE_OVAL) {
      const scale = (RETRACTED_REACH * face) / landmarkDistance(mesh, UPPER_LIP, v);
      for (const axis of [0, 1])
        around[3 * v + axis]! += scale * (mesh[3 * v + axis]! - mesh[3 * UPPER_LIP + axis]!);
    }
    for (const drawn of [mesh, around]) {
      const points = new Float32Array(468 * 2);
      for (let v = 0; v < 468; v++) points.set(drawn.subarray(3 * v, 3 * v + 2), 2 * v);
      const spans = triangleSpans(points, triangles, width, height);
      for (let run = 0; run < spans.row.length; run++) {
        const start = spans.row[run]! * width;
        inside.fill(1, start + spans.left[run]!, start + spans.right[run]!);
      }
    }
  }
  return inside;
}

/**
 * Counts changed pixels inside the meshes of these faces, and checks that no other pixel changed.
 */
async function changedIn(faces: readonly Face[], before: RgbImage, now: RgbImage): Promise<number> {
  const inside = await covered(faces, before);
  let changed = 0;
  for (let i = 0; i < now.data.length; i++) {
    if (now.data[i] === before.data[i]) continue;
    assert.equal(inside[Math.floor(i / 3)], 1, `pixel ${Math.floor(i / 3)} is of no mapped face`);
    changed += 1;
  }
  return changed;
}

test('only the mapped faces change, everything else is bit-identical, the photo itself is not touched', async () => {
  const untouched = group.data.slice();
  const faces = await engine.detect(group);
  assert.equal(faces.length, 3);
  const { image, identitySimilarities } = await engine.swapGroup({
    target: group,
    targetFaces: faces,
    replacements: [replace(2, body), replace(0, body, 'targetFace1')],
    restore: full,
  });
  assert.ok(Buffer.from(group.data).equals(untouched));
  assert.ok((await changedIn([faces[0]!, faces[2]!], group, image)) > 6000);
  assert.equal(identitySimilarities.length, 2);
  for (const similarity of identitySimilarities) assert.ok(similarity !== null && similarity > 0.3);
});

test('the order of the replacements does not matter where faces do not touch', async () => {
  const targetFaces = await engine.detect(group);
  const swap = (...replacements: GroupReplacement[]) =>
    engine.swapGroup({ target: group, targetFaces, replacements, restore: full });
  const one = await swap(replace(0, body), replace(1, face));
  const other = await swap(replace(1, face), replace(0, body));
  assert.ok(Buffer.from(one.image.data).equals(other.image.data));
});

test('one face of a group is what a photo task makes of that face', async () => {
  const targetFaces = await engine.detect(group);
  const alone = await engine.swapImage({ source: body, target: group, faceIndex: 1, restore: full });
  const grouped = await engine.swapGroup({
    target: group,
    targetFaces,
    replacements: [replace(1, body)],
    restore: full,
  });
  assert.ok(Buffer.from(grouped.image.data).equals(alone.image.data));
  assert.equal(grouped.identitySimilarities[0], await alone.measureIdentity());
});

test('a source without a face is named', async () => {
  const grey = { width: 64, height: 64, data: new Uint8Array(64 * 64 * 3).fill(128) };
  const targetFaces = await engine.detect(group);
  const replacements = [replace(0, body), replace(1, grey, 'targetFace1')];
  await assert.rejects(engine.swapGroup({ target: group, targetFaces, replacements, restore: full }), {
    code: 'NO_FACE_DETECTED',
    message: 'No face was found in targetFace1.',
  });
});

test('an abort between two faces ends the work', async () => {
  const abort = new AbortController();
  const counts: number[] = [];
  const work = engine.swapGroup({
    target: group,
    targetFaces: await engine.detect(group),
    replacements: [replace(0, body), replace(1, body), replace(2, body)],
    signal: abort.signal,
    onSwapped(count) {
      counts.push(count);
      abort.abort(new Error('cancelled'));
    },
    restore: full,
  });
  await assert.rejects(work, /cancelled/);
  assert.deepEqual(counts, [1]);
});

for (const [file, least] of [
  ['groups/g05_18f_team_55faces.jpg', 30],
  ['groups/g08_videocall_grid_25.jpg', 20],
  ['groups/g09_meeting_four.jpg', 3],
  ['groups/g39_india_men.jpg', 2],
] as const) {
  test(
    `${file}: ten faces, or all, change and nothing else does`,
    { skip: skipWithoutFixtures },
    async () => {
      const photo = await decode(fixture(file));
      const faces = await engine.detect(photo);
      assert.ok(faces.length >= least, `${faces.length} faces`);
      const mapped = faces.slice(0, 10);
      const { image, identitySimilarities } = await engine.swapGroup({
        target: photo,
        targetFaces: faces,
        replacements: mapped.map((_, at) => replace(at, at % 2 === 0 ? body : face, `targetFace${at}`)),
        restore: full,
      });
      assert.equal(identitySimilarities.length, mapped.length);
      assert.ok((await changedIn(mapped, photo, image)) > 100 * mapped.length);
    },
  );
}
