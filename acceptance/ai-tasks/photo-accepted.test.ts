/**
 * `/api/ai-tasks`, photo workflow: what is answered with 200, every sentence of the spec and the
 * decisions a test.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { Client, assertError, photo, type Fields } from './client.ts';
import {
  MIB,
  UUID,
  body,
  client,
  face,
  newAccount,
  newClient,
  noFace,
  padded,
  right,
  service,
  target,
  without,
} from './photo-setup.ts';

describe('200', () => {
  test('a POST answers PENDING with the credits, and the task can be read from then on to its end', async () => {
    const accepted = await client.post([
      ['sourceImage', { bytes: face, name: 'me.jpg', type: 'image/jpeg' }],
      ['targetImage', { bytes: target, name: '../../beach.png', type: 'text/html' }],
      ['restoreVisibility', '0.5'],
    ]);
    assert.equal(accepted.status, 200);
    assert.match(accepted.body.taskId, UUID);
    assert.deepEqual(accepted.body, { taskId: accepted.body.taskId, status: 'PENDING', requiredCredits: 3 });

    const task = await client.untilTerminal(accepted.body.taskId);
    assert.deepEqual(Object.keys(task).sort(), [
      'completedAt',
      'costCredits',
      'createdAt',
      'id',
      'parameters',
      'result',
      'startedAt',
      'status',
      'taskType',
    ]);
    assert.equal(task.id, accepted.body.taskId);
    assert.equal(task.taskType, 'IMAGE_SWAP');
    assert.equal(task.status, 'COMPLETED');
    assert.equal(task.costCredits, 3);
    assert.deepEqual(task.parameters, {
      faceRestoreVisibility: 1,
      restoreVisibility: 0.5,
      sourceImage: { name: 'me.jpg', type: 'image/jpeg', bytes: face.length, width: 256, height: 256 },
      targetImage: { name: 'beach.png', type: 'image/png', bytes: target.length, width: 256, height: 256 },
    });
    const [created, started, completed] = [task.createdAt, task.startedAt, task.completedAt].map(Date.parse);
    assert.ok(created! <= started! && started! <= completed!);
  });

  test('a completed task delivers its file behind a signed link, with true facts and a receipt', async () => {
    const { id, result } = await client.run(right);
    assert.deepEqual(Object.keys(result).sort(), ['failures', 'outputs', 'receipt']);
    assert.deepEqual(result.failures, []);
    const { url, expiresAt, ...facts } = result.outputs[0];
    const response = await fetch(url);
    const bytes = Buffer.from(await response.arrayBuffer());
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'image/png');
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    assert.deepEqual(facts, {
      index: 0,
      contentType: 'image/png',
      width: 256,
      height: 256,
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    const lifetimeMs = Date.parse(expiresAt) - Date.now();
    assert.ok(lifetimeMs > 86_300_000 && lifetimeMs <= 86_400_000, `expires in ${lifetimeMs} ms`);

    const { receipt } = result;
    assert.equal(receipt.facesFound, 1);
    assert.deepEqual(receipt.frames, { total: 1, swapped: 1, passedThrough: 0 });
    assert.equal(receipt.longestGapFrames, 0);
    assert.equal(receipt.credits, 3);
    assert.match(receipt.engine.name + receipt.engine.version, /\w+\d/);
    assert.ok(receipt.identitySimilarity >= 0 && receipt.identitySimilarity <= 1);

    assert.deepEqual((await client.get(id)).body.result, result, 'a re-read gives the same link and expiry');
  });

  test('no face in the source or the target ends FAILED, says which, and costs nothing', async () => {
    for (const [fields, message] of [
      [photo(noFace, target), /source/],
      [photo(face, noFace), /target/],
    ] as const) {
      const task = await client.run(fields);
      assert.equal(task.status, 'FAILED');
      assert.equal(task.costCredits, 0);
      assert.deepEqual(Object.keys(task.result), ['error']);
      assert.equal(task.result.error.code, 'NO_FACE_DETECTED');
      assert.match(task.result.error.message, message);
    }
  });

  test('restoration fields take 0, 1 and what lies between, and default to 1', async () => {
    for (const [sent, shown] of [
      ['0', 0],
      ['1', 1],
      ['0.25', 0.25],
      [undefined, 1],
    ] as const) {
      const extra: Fields =
        sent === undefined
          ? []
          : [
              ['faceRestoreVisibility', sent],
              ['restoreVisibility', sent],
            ];
      const { body } = await client.post(photo(face, target, extra));
      const { parameters } = (await client.get(body.taskId)).body;
      assert.equal(parameters.faceRestoreVisibility, shown);
      assert.equal(parameters.restoreVisibility, shown);
    }
  });

  test('an image of exactly 30 MiB is taken', async () => {
    const task = await client.run(photo(face, padded(30 * MIB)));
    assert.equal(task.parameters.targetImage.bytes, 30 * MIB);
    assert.equal(task.status, 'COMPLETED');
  });

  test('a cancelled task ends CANCELLED, releases its credits, and may be cancelled again', async () => {
    const account = await newAccount({ credits: 30 });
    const own = new Client(service.url, account);
    const big = await sharp(body).resize(4000).png({ compressionLevel: 1 }).toBuffer();
    const { taskId } = (await own.post(photo(face, big))).body;
    const cancelled = await own.cancel(taskId);
    assert.equal(cancelled.status, 200, JSON.stringify(cancelled.body));
    assert.equal(cancelled.body.status, 'CANCELLED');
    assert.equal(cancelled.body.costCredits, 0);
    assert.equal(cancelled.body.result, null);
    assert.deepEqual((await own.cancel(taskId)).body, cancelled.body);
    assert.deepEqual((await own.get(taskId)).body, cancelled.body);
  });

  test('a dry run validates, shows faces and warnings, creates nothing, and needs no credits', async () => {
    const poor = await newClient({ credits: 0 });
    const { status, body: quote } = await poor.post(right, { query: '?dryRun=true' });
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(quote).sort(), ['dryRun', 'faces', 'requiredCredits', 'warnings']);
    assert.equal(quote.dryRun, true);
    assert.equal(quote.requiredCredits, 3);
    assert.equal(quote.faces.sourceImage.length, 1);
    assert.equal(quote.faces.targetImage.length, 1);
    const blind = await poor.post(photo(face, noFace), { query: '?dryRun=true' });
    assert.deepEqual(
      blind.body.warnings.map((each: { field: string; code: string }) => [each.field, each.code]),
      [['targetImage', 'NO_FACE']],
    );
    assertError(
      await poor.post(without('targetImage'), { query: '?dryRun=true' }),
      400,
      /^targetImage is missing/,
    );
  });

  test('dry run, receipt and detect-faces say alike what is wrong with a photo and what to do', async () => {
    const grey = await sharp(face).greyscale().png().toBuffer();
    const warning = {
      field: 'sourceImage',
      code: 'BLACK_AND_WHITE',
      role: 'source',
      message: 'The face in sourceImage is black and white; a colour photo gives a better result.',
    };
    const quote = await client.post(photo(grey, target), { query: '?dryRun=true' });
    assert.deepEqual(quote.body.warnings, [warning]);
    const task = await client.run(photo(grey, target));
    assert.deepEqual(task.result.receipt.warnings, [warning]);
    const found = await client.post([['image', { bytes: grey }]], { path: '/api/ai-tasks/detect-faces' });
    const { code, role } = warning;
    const message = 'Face 0 is black and white; a colour photo gives a better result.';
    assert.deepEqual(found.body.warnings, [{ faceIndex: 0, code, role, message }]);
  });

  test('what the target has as well is not warned of, and a clear photo has no warnings', async () => {
    const grey = await sharp(face).greyscale().png().toBuffer();
    const alike = await client.post(photo(grey, grey), { query: '?dryRun=true' });
    assert.deepEqual(alike.body.warnings, []);
    const task = await client.run(photo(face, target));
    assert.ok(!('warnings' in task.result.receipt));
  });

  test('detect-faces answers the faces of an image, for no credits', async () => {
    const poor = await newClient({ credits: 0 });
    const { status, body: found } = await poor.post([['image', { bytes: face }]], {
      path: '/api/ai-tasks/detect-faces',
    });
    assert.equal(status, 200);
    assert.deepEqual([found.width, found.height, found.faces.length], [256, 256, 1]);
    const fields = ['faceIndex', 'height', 'pitch', 'roll', 'score', 'width', 'x', 'y', 'yaw'];
    assert.deepEqual(Object.keys(found.faces[0]).sort(), fields);
    assert.equal(found.faces[0].faceIndex, 0);
    const none = await poor.post([['image', { bytes: noFace }]], { path: '/api/ai-tasks/detect-faces' });
    assert.deepEqual(none.body, { width: 64, height: 64, faces: [] });
  });

  test('detect-faces answers a small picture of the image, too, if it is asked for', async () => {
    const path = '/api/ai-tasks/detect-faces';
    const large = await sharp(face).resize(1200, 1500, { fit: 'cover' }).png().toBuffer();
    const { body } = await client.post(
      [
        ['image', { bytes: large }],
        ['preview', 'true'],
      ],
      { path },
    );
    assert.deepEqual([body.width, body.height], [1200, 1500]);
    const [, base64] = /^data:image\/webp;base64,(.*)$/.exec(body.preview)!;
    const { format, width, height } = await sharp(Buffer.from(base64!, 'base64')).metadata();
    assert.deepEqual([format, width, height], ['webp', 768, 960]);
    const wrong = await client.post(
      [
        ['image', { bytes: face }],
        ['preview', 'yes'],
      ],
      { path },
    );
    assertError(wrong, 400, /^preview must be/, { field: 'preview' });
  });

  test('the same Idempotency-Key and request get the first answer again; 402 is not remembered', async () => {
    const own = await newClient({ credits: 3 });
    const headers = { 'idempotency-key': 'order-1' };
    const first = await own.post(right, { headers });
    const renamed = right.map(([name, value]) =>
      typeof value === 'string' ? ([name, value] as const) : ([name, { ...value, name: 'other' }] as const),
    );
    // No credits are left, and none are needed.
    const second = await own.post(renamed, { headers });
    assert.equal(second.status, 200);
    assert.equal(JSON.stringify(second.body), JSON.stringify(first.body), 'members in the same order too');
    assertError(await own.post(right, { headers: { 'idempotency-key': 'order-2' } }), 402, /./, {
      required: 3,
      available: 0,
    });
  });

  test('concurrent requests with one Idempotency-Key make one task', async () => {
    const own = await newClient({ credits: 30 });
    const headers = { 'idempotency-key': 'k'.repeat(255) };
    const answers = await Promise.all(Array.from({ length: 8 }, () => own.post(right, { headers })));
    assert.deepEqual(new Set(answers.map((each) => each.status)), new Set([200]));
    assert.equal(new Set(answers.map((each) => each.body.taskId)).size, 1);
  });

  test('the description is OpenAPI 3.1 of this version and needs no key', async () => {
    const response = await fetch(`${service.url}/api/ai-tasks/openapi.json`);
    const { openapi, info, paths } = (await response.json()) as {
      openapi: string;
      info: { version: string };
      paths: object;
    };
    assert.deepEqual([openapi, info.version], ['3.1.0', '2026-08-14']);
    assert.deepEqual(Object.keys(paths), [
      '/api/ai-tasks',
      '/api/ai-tasks/batch-face-swap',
      '/api/ai-tasks/multi-face-swap',
      '/api/ai-tasks/video',
      '/api/ai-tasks/gif',
      '/api/ai-tasks/detect-faces',
      '/api/ai-tasks/verify',
      '/verify',
      '/api/faces',
      '/api/faces/{id}',
      '/api/faces/{id}/withdraw',
      '/api/ai-tasks/list',
      '/api/ai-tasks/engines',
      '/api/ai-tasks/events',
      '/api/ai-tasks/openapi.json',
    ]);
  });
});
