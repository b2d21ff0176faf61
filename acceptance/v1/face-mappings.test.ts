import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { loadNodeAv } from '@guise/media/video/node-av.ts';
import { assertV1Error } from './client.ts';
import { makeFaceClip } from './face-clip.ts';
import { client } from './setup.ts';

const av = await loadNodeAv();
const skip = av === null ? 'node-av is not installed' : false;
const { face, body: portrait } = await readSampleFaces();
const target_video = av === null ? '' : (await makeFaceClip(av, face, 1)).toString('base64');
const source_image = portrait.toString('base64');
const box = { x: 0.3, y: 0.2, width: 0.4, height: 0.6 };

test('a person of a video by number, or by a box at a moment', { skip, timeout: 300_000 }, async () => {
  for (const mapping of [{ person_index: 0 }, { at_seconds: 0.5, box }]) {
    const accepted = await client.post('video-swap', {
      target_video,
      face_mappings: [{ source_image, ...mapping }],
      quality: 'standard',
    });
    assert.equal(accepted.status, 202, JSON.stringify(accepted.body));
    assert.equal(accepted.body.credits_estimated, 6);
    const [last] = await client.poll(accepted.body.job_id);
    assert.deepEqual([last.status, last.credits_used], ['completed', 6], JSON.stringify(last));
  }
});

test(
  'a person that is not there fails the job, naming the mapping; each costs',
  { skip, timeout: 300_000 },
  async () => {
    const face_mappings = [
      { source_image, person_index: 0 },
      { source_image, person_index: 1 },
    ];
    const { body } = await client.post('video-swap', { target_video, face_mappings });
    assert.equal(body.credits_estimated, 12);
    const [last] = await client.poll(body.job_id);
    assert.deepEqual([last.status, last.error], ['failed', 'FACE_NOT_FOUND']);
    assert.match(last.message, /^face_mappings\[1\]: .* no person with personIndex 1; it has 1/);
  },
);

test('400: what does not go together, naming the field', { skip }, async () => {
  const one = { source_image, person_index: 0 };
  for (const [fields, message] of [
    [{}, /^source_image is missing/],
    [{ source_image, face_mappings: [one] }, /^source_image was sent beside face_mappings/],
    [{ face_mappings: [] }, /^face_mappings must hold at least one mapping/],
    [{ face_mappings: {} }, /^face_mappings must be an array of objects/],
    [{ face_mappings: [1] }, /^face_mappings\[0\] must be an object/],
    [{ face_mappings: [{ person_index: 0 }] }, /^face_mappings\[0\]\.source_image is missing/],
    [
      { face_mappings: [{ source_image }] },
      /^face_mappings\[0\] needs a person_index, or at_seconds and a box/,
    ],
    [{ face_mappings: [{ ...one, at_seconds: 1 }] }, /^face_mappings\[0\] has a person_index and a place/],
    [
      { face_mappings: [{ ...one, person_index: 1.5 }] },
      /^face_mappings\[0\]\.person_index must be a whole number/,
    ],
    [{ face_mappings: [{ ...one, other: 1 }] }, /^Unknown field "face_mappings\[0\]\.other"/],
    [{ face_mappings: [one, one] }, /^face_mappings\[1\] names person 0, as face_mappings\[0\] does/],
    [
      { face_mappings: [0, 1].map(() => ({ source_image, at_seconds: 0, box })) },
      /^face_mappings\[1\] has the same box as face_mappings\[0\]: a person can get only one face/,
    ],
    [
      { face_mappings: [{ source_image, at_seconds: 1, box: { x: 0, y: 0, width: 1 } }] },
      /^face_mappings\[0\]\.box\.height is missing/,
    ],
    [
      { face_mappings: [{ source_image, at_seconds: 9, box }] },
      /^face_mappings\[0\] must have an at_seconds within target_video/,
    ],
    [
      { face_mappings: [{ source_image, at_seconds: 0, box: { ...box, x: 900 } }] },
      /^face_mappings\[0\]\.box must lie within target_video, which is 320 x 280 pixels/,
    ],
    [{ face_mappings: Array.from({ length: 11 }, () => ({})) }, /^face_mappings has more than 10 entries/],
  ] as const) {
    const answer = await client.post('video-swap', { target_video, ...fields });
    const details = message.source.includes('more than 10') ? { limit: 10 } : {};
    assertV1Error(answer, 400, 'INVALID_REQUEST', message, details);
  }
});
