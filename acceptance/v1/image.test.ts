import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { assertV1Error } from './client.ts';
import {
  client,
  JOB_ID,
  newClient,
  noFace,
  padded,
  service,
  source,
  still,
  target,
  webUrl,
} from './setup.ts';

const right = { source_image: source, target_image: target };

test('one call: the image result, its link gives the picture', async () => {
  const { status, body, headers } = await client.post('image-swap', right);
  assert.equal(status, 200, JSON.stringify(body));
  const { job_id, output_url, processing_time, resolution } = body;
  assert.deepEqual(body, {
    success: true,
    job_id,
    output_url,
    output_format: 'png',
    resolution,
    processing_time,
    faces_detected: 1,
    credits_used: 3,
  });
  assert.match(job_id, JOB_ID);
  assert.ok(Number.isInteger(processing_time));
  assert.match(headers.get('x-request-id')!, /^[0-9a-f-]{36}$/);
  const output = Buffer.from(await (await fetch(output_url)).arrayBuffer());
  const { format, width, height } = await sharp(output).metadata();
  assert.deepEqual([format, `${width}x${height}`], ['png', resolution]);
  const expires = Number(new URL(output_url).searchParams.get('expires'));
  assert.ok(Math.abs(expires - Date.now() / 1000 - 86_400) < 120);
  assertV1Error(await client.status(job_id), 404, 'JOB_NOT_FOUND', /no such job/);
});

test('an engine is named by its id, as GET /api/ai-tasks/engines lists it', async () => {
  const { status, body } = await client.post('image-swap', { ...right, engine: 'mesh' });
  assert.equal(status, 200, JSON.stringify(body));
  const of = (engine: unknown) => client.post('image-swap', { ...right, engine });
  assertV1Error(await of('other'), 400, 'ENGINE_UNAVAILABLE', /^engine must be mesh: no worker has other\.$/);
  assertV1Error(await of('A B'), 400, 'INVALID_REQUEST', /^engine must be an id that GET/);
  assertV1Error(await of(1), 400, 'INVALID_REQUEST', /^engine must be a string\.$/);
});

async function labelledPixels(label: boolean): Promise<Buffer> {
  const { status, body } = await client.post('image-swap', { ...right, label });
  assert.equal(status, 200, JSON.stringify(body));
  const output = Buffer.from(await (await fetch(body.output_url)).arrayBuffer());
  return sharp(output).raw().toBuffer();
}

test('label puts the visible label on, and is true or false', async () => {
  assert.ok(!(await labelledPixels(true)).equals(await labelledPixels(false)));
  for (const label of ['true', 1, null])
    assertV1Error(
      await client.post('image-swap', { ...right, label }),
      400,
      'INVALID_REQUEST',
      /^label must be true or false\.$/,
    );
});

test('every output format is what it says', async () => {
  for (const [name, format] of [
    ['png', 'png'],
    ['jpg', 'jpeg'],
    ['webp', 'webp'],
  ]) {
    const { body } = await client.post('image-swap', { ...right, output_format: name });
    assert.equal(body.output_format, name, JSON.stringify(body));
    const output = Buffer.from(await (await fetch(body.output_url)).arrayBuffer());
    assert.equal((await sharp(output).metadata()).format, format);
  }
});

test('quality limits the long side and never enlarges; 4k costs double', async () => {
  const face = Buffer.from(source, 'base64');
  const large = (await sharp(face).resize(3000).png().toBuffer()).toString('base64');
  for (const [quality, width, credits] of [
    ['standard', 1280, 3],
    ['high', 1920, 3],
    ['4k', 3000, 6],
  ]) {
    const { body } = await client.post('image-swap', { ...right, target_image: large, quality });
    assert.equal(body.success, true, JSON.stringify(body));
    assert.equal(Math.max(...body.resolution.split('x').map(Number)), width);
    assert.equal(body.credits_used, credits);
  }
});

test('data URIs, URL-safe base64, white space and URLs are all media', async () => {
  const forms = [
    `data:image/png;base64,${target}`,
    target.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
    target.replaceAll(/(.{76})/g, '$1\r\n'),
    `${webUrl}/face`,
  ];
  for (const target_image of forms) {
    const { body } = await client.post('image-swap', { ...right, target_image });
    assert.equal(body.success, true, `${target_image.slice(0, 40)}: ${JSON.stringify(body)}`);
  }
});

test('a face index is the face to swap; one that is not there is refused and costs nothing', async () => {
  const good = await client.post('image-swap', { ...right, face_index: 0 });
  assert.equal(good.status, 200, JSON.stringify(good.body));
  const poor = await newClient({ credits: 3 });
  const bad = await poor.post('image-swap', { ...right, face_index: 1 });
  assertV1Error(bad, 400, 'FACE_INDEX_OUT_OF_RANGE', /1/);
  assert.equal((await poor.post('image-swap', right)).status, 200);
});

test('no face: the message says source or target', async () => {
  const without = await newClient({ credits: 3 });
  const noSource = await without.post('image-swap', { ...right, source_image: noFace });
  assertV1Error(noSource, 400, 'NO_FACE_DETECTED', /source/);
  const noTarget = await without.post('image-swap', { ...right, target_image: noFace });
  assertV1Error(noTarget, 400, 'NO_FACE_DETECTED', /target/);
});

test('wrong fields are named', async () => {
  const cases: [object, RegExp][] = [
    [{ target_image: target }, /^source_image is missing/],
    [{ source_image: source }, /^target_image is missing/],
    [{ ...right, output_format: 'gif' }, /^output_format must be png or jpg or webp/],
    [{ ...right, quality: '8k' }, /^quality must be standard or high or 4k/],
    [{ ...right, face_index: -1 }, /^face_index must be a whole number/],
    [{ ...right, face_index: 1.5 }, /^face_index must be a whole number/],
    [{ ...right, face_index: '0' }, /^face_index must be a whole number/],
    [{ ...right, source_image: 7 }, /^source_image must be a string/],
    [{ ...right, source_image: null }, /^source_image must be a string/],
    [{ ...right, source_image: {} }, /^source_image must be a string/],
    [{ ...right, source_image: '' }, /^source_image is empty/],
    [{ ...right, source_image: 'A' }, /^source_image is base64 that ends too early/],
    [{ ...right, source_image: '*'.repeat(9) }, /^source_image is not valid base64/],
    [{ ...right, source_image: 'ftp://example.com/face.png' }, /base64, a data: URI or an http\(s\) URL/],
    [{ ...right, webhook_url: 'https://example.com' }, /^Unknown field "webhook_url"/],
    [{ ...right, source_image: 'data:image/png,abc' }, /^source_image must be a data: URI with base64/],
  ];
  for (const [body, message] of cases) {
    assertV1Error(await client.post('image-swap', body), 400, 'INVALID_REQUEST', message);
  }
});

test('a body that is no JSON object is refused', async () => {
  for (const body of [
    '',
    '[]',
    '"a"',
    '{',
    '{"source_image":"QUJD"',
    '{"source_image":"QUJD",}',
    '{} {}',
    '{"a" 1}',
  ]) {
    const answer = await client.call('POST', '/v1/image-swap', { body });
    assertV1Error(answer, 400, 'INVALID_REQUEST', /JSON|Unknown field/);
  }
  const twice = await client.call('POST', '/v1/image-swap', {
    body: '{"quality":"high","quality":"high"}',
  });
  assertV1Error(twice, 400, 'INVALID_REQUEST', /quality was sent twice/);
  const form = await client.call('POST', '/v1/image-swap', {
    body: '{}',
    headers: { 'content-type': 'text/plain' },
  });
  assertV1Error(form, 400, 'INVALID_REQUEST', /application\/json/);
});

test('files of another kind, and unreachable ones, are refused', async () => {
  const text = Buffer.from('not a picture').toString('base64');
  assertV1Error(
    await client.post('image-swap', { ...right, target_image: text }),
    400,
    'INVALID_FORMAT',
    /^target_image must be/,
  );
  const page = await client.post('image-swap', { ...right, target_image: `${webUrl}/text` });
  assertV1Error(page, 400, 'INVALID_FORMAT', /^target_image must be/);
  const missing = await client.post('image-swap', { ...right, target_image: `${webUrl}/nowhere` });
  assertV1Error(missing, 400, 'MEDIA_UNREACHABLE', /^target_image could not be fetched/);
  const metadata = await client.post('image-swap', { ...right, source_image: 'http://169.254.169.254/' });
  assertV1Error(metadata, 400, 'MEDIA_UNREACHABLE', /^source_image could not be fetched/);
});

test('50 MiB is the most of an image, 100 megapixels too', { timeout: 300_000 }, async () => {
  const most = 50 * 1024 * 1024;
  const atLimit = await client.post('image-swap', { ...right, target_image: padded(most) });
  assert.equal(atLimit.status, 200, JSON.stringify(atLimit.body));
  const above = await client.post('image-swap', { ...right, target_image: padded(most + 1) });
  assertV1Error(above, 400, 'IMAGE_TOO_LARGE', /^target_image is larger than/, { limit: most });
  const wide = await client.post('image-swap', { ...right, target_image: await still(10_001, 10_000) });
  assertV1Error(wide, 400, 'IMAGE_TOO_LARGE', /100000000 pixels/, { limit: 100_000_000 });
});

test('too few credits: 402 with both numbers; unverified accounts are not refused otherwise', async () => {
  const poor = await newClient({ credits: 2, unverified: true });
  const answer = await poor.post('image-swap', right);
  assertV1Error(answer, 402, 'INSUFFICIENT_CREDITS', /3 credits/, { required: 3, available: 2 });
});

test('a missing or wrong key is 401, before the body is looked at', async () => {
  for (const authorization of [undefined, 'Bearer nonsense']) {
    const response = await fetch(`${service.url}/v1/image-swap`, {
      method: 'POST',
      headers: authorization === undefined ? {} : { authorization },
      body: 'no json',
    });
    const answer = { status: response.status, headers: response.headers, body: await response.json() };
    assertV1Error(answer, 401, 'INVALID_API_KEY', /API key/);
  }
});

test('an eleventh request within the minute is 429 on the free plan', async () => {
  const free = await newClient({ plan: 'free' });
  for (let sent = 0; sent < 10; sent += 1) assert.equal((await free.status('job_x')).status, 404);
  const refused = await free.post('image-swap', right);
  assertV1Error(refused, 429, 'RATE_LIMITED', /10/, {
    limit: 10,
    reset_seconds: Number(refused.headers.get('retry-after')),
  });
});

test('a quote creates nothing and says price, faces and warnings', async () => {
  const poor = await newClient({ credits: 0 });
  const quote = await poor.post(
    'image-swap',
    { ...right, quality: '4k', face_index: 3 },
    { query: '?dryRun=true' },
  );
  assert.equal(quote.status, 200, JSON.stringify(quote.body));
  const { dryRun, credits_estimated, faces, warnings } = quote.body;
  assert.deepEqual(
    [dryRun, credits_estimated, Object.keys(faces)],
    [true, 6, ['source_image', 'target_image']],
  );
  assert.deepEqual(
    warnings.map(({ code }: { code: string }) => code).filter((code: string) => code === 'FACE_NOT_FOUND'),
    ['FACE_NOT_FOUND'],
  );
  const other = await poor.post('image-swap', right, { query: '?dryRun=1' });
  assertV1Error(other, 400, 'INVALID_REQUEST', /dryRun/);
});

test('the same key gives the same answer and one charge; twins make one task', async () => {
  const frugal = await newClient({ credits: 3 });
  const headers = { 'idempotency-key': 'one' };
  const twins = await Promise.all([1, 2].map(() => frugal.post('image-swap', right, { headers })));
  const again = await frugal.post('image-swap', right, { headers });
  for (const { status, body } of [...twins, again]) {
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body, twins[0]!.body);
  }
  const other = await frugal.post('image-swap', { ...right, quality: '4k' }, { headers });
  assertV1Error(other, 409, 'IDEMPOTENCY_CONFLICT', /Idempotency-Key/);
});

test('a refusal is not remembered', async () => {
  const headers = { 'idempotency-key': 'again' };
  const poor = await newClient({ credits: 6 });
  const request = { ...right, target_image: noFace };
  assert.equal((await poor.post('image-swap', request, { headers })).status, 400);
  const other = await poor.post('image-swap', right, { headers });
  assert.equal(other.status, 200, JSON.stringify(other.body));
});

test('an unknown path is a JSON 404 of this interface', async () => {
  assertV1Error(await client.call('GET', '/v1/nothing'), 404, 'JOB_NOT_FOUND', /nothing at this path/);
});
