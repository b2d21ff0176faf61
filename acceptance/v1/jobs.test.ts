import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fixture, skipWithoutFixtures } from '../../scripts/fixtures.ts';
import { type Answer, assertV1Error } from './client.ts';
import { client, JOB_ID, newClient, noFace, source, target, webUrl } from './setup.ts';

const skip = skipWithoutFixtures;
const film = async (name: string): Promise<string> =>
  skip === false ? (await readFile(fixture(`video/${name}`))).toString('base64') : '';
const rotating = await film('v21_two_heads_rotating.mp4');

const video = { source_image: source, target_video: rotating };
const batch = {
  source_image: source,
  target_images: [target, noFace, `${webUrl}/nowhere`, `${webUrl}/face`],
};

test('video: accepted, polled, completed; its link gives the file', { skip, timeout: 300_000 }, async () => {
  const accepted = await client.post('video-swap', { ...video, quality: 'standard' });
  assert.equal(accepted.status, 202, JSON.stringify(accepted.body));
  const { job_id, estimated_time, credits_estimated } = accepted.body;
  assert.deepEqual(accepted.body, {
    success: true,
    job_id,
    status: 'processing',
    estimated_time,
    progress: 0,
    credits_estimated,
  });
  assert.match(job_id, JOB_ID);
  assert.ok(Number.isInteger(estimated_time) && estimated_time >= 1);
  const seen = await client.poll(job_id);
  const [last] = seen;
  assert.deepEqual(last, {
    success: true,
    job_id,
    type: 'video_swap',
    status: 'completed',
    progress: 100,
    output_url: last.output_url,
    output_format: 'mp4',
    resolution: last.resolution,
    duration: last.duration,
    file_size: last.file_size,
    processing_time: last.processing_time,
    credits_used: credits_estimated,
    expires_at: last.expires_at,
  });
  assert.equal(credits_estimated, Math.max(6, 2 * Math.ceil(last.duration - 0.1)));
  assert.match(last.resolution, /^\d+x\d+$/);
  const file = Buffer.from(await (await fetch(last.output_url)).arrayBuffer());
  assert.equal(file.length, last.file_size);
  assert.equal(file.toString('latin1', 4, 8), 'ftyp');
  for (const body of seen) assertVideoState(body, job_id);
  const percents = seen.map(({ progress }) => progress).toReversed();
  assert.deepEqual(
    percents,
    percents.toSorted((a, b) => a - b),
  );
  assert.ok(
    seen.some(({ status }) => status === 'processing'),
    'it was seen at work',
  );
});

function assertVideoState(body: Answer['body'], job_id: string): void {
  const { status, progress, current_frame, total_frames, estimated_remaining } = body;
  const common = { success: true, job_id, type: 'video_swap', status, progress };
  if (status === 'queued') assert.deepEqual(body, common);
  if (status !== 'processing') return;
  assert.deepEqual(body, { ...common, current_frame, total_frames, estimated_remaining });
  assert.ok(current_frame <= total_frames && total_frames > 0, JSON.stringify(body));
  assert.ok(Number.isInteger(estimated_remaining) && estimated_remaining >= 1);
}

test('video: each container is written as asked', { skip, timeout: 300_000 }, async () => {
  const jobs = [];
  for (const output_format of ['webm', 'mov']) {
    const { body } = await client.post('video-swap', { ...video, output_format, face_enhance: false });
    jobs.push([output_format, body.job_id]);
  }
  for (const [output_format, jobId] of jobs) {
    const [last] = await client.poll(jobId);
    assert.equal(last.status, 'completed', JSON.stringify(last));
    assert.equal(last.output_format, output_format);
    const head = Buffer.from(await (await fetch(last.output_url)).arrayBuffer()).subarray(0, 16);
    assert.equal(
      head.toString('latin1', ...(output_format === 'mov' ? [8, 12] : [0, 4])),
      output_format === 'mov' ? 'qt  ' : '\x1aE\xdf\xa3',
    );
  }
});

test('video: no face in any frame fails and costs nothing', { skip, timeout: 300_000 }, async () => {
  const frugal = await newClient({ credits: 500 });
  const earth = await film('v37_earth_no_face.mp4');
  const { body } = await frugal.post('video-swap', { ...video, target_video: earth });
  const [last] = await frugal.poll(body.job_id);
  assert.deepEqual(last, {
    success: false,
    job_id: body.job_id,
    type: 'video_swap',
    status: 'failed',
    progress: last.progress,
    error: 'NO_FACE_DETECTED',
    message: last.message,
  });
  assertV1Error(await frugal.cancel(body.job_id), 409, 'JOB_FINISHED', /no longer be cancelled/);
});

test('video: a wrong file, setting or webhook is refused and named', async () => {
  const text = Buffer.from('not a film').toString('base64');
  const cases: [object, string, RegExp][] = [
    [{ source_image: source }, 'INVALID_REQUEST', /^target_video is missing/],
    [
      { ...video, target_video: text },
      'INVALID_FORMAT',
      /^target_video must be of type MP4, MOV, WebM, Matroska, AVI or MPEG-TS\./,
    ],
    [
      { ...video, target_video: text, output_format: 'avi' },
      'INVALID_REQUEST',
      /^output_format must be mp4 or webm or mov/,
    ],
    [
      { ...video, target_video: text, face_enhance: 1 },
      'INVALID_REQUEST',
      /^face_enhance must be true or false/,
    ],
    [
      { ...video, target_video: text, webhook_url: 'ftp://example.com/' },
      'INVALID_WEBHOOK_URL',
      /^webhook_url cannot be used/,
    ],
    [
      { ...video, target_video: text, webhook_url: 'http://169.254.169.254/' },
      'INVALID_WEBHOOK_URL',
      /^webhook_url cannot be used/,
    ],
    [
      { ...video, target_video: `${webUrl}/nowhere` },
      'MEDIA_UNREACHABLE',
      /^target_video could not be fetched/,
    ],
  ];
  for (const [body, code, message] of cases)
    assertV1Error(await client.post('video-swap', body), 400, code, message);
});

test(
  'a job is cancelled: failed with CANCELLED, again the same, and paid back',
  { skip, timeout: 300_000 },
  async () => {
    const frugal = await newClient({ credits: 20 });
    const headers = { 'idempotency-key': 'a-film' };
    const accepted = await frugal.post('video-swap', video, { headers });
    assert.equal(accepted.status, 202, JSON.stringify(accepted.body));
    const { job_id } = accepted.body;
    for (const attempt of [1, 2]) {
      const { status, body } = await frugal.cancel(job_id);
      assert.equal(status, 200, `${attempt}`);
      assert.deepEqual(body, {
        success: false,
        job_id,
        type: 'video_swap',
        status: 'failed',
        progress: body.progress,
        error: 'CANCELLED',
        message: 'The job was cancelled.',
      });
    }
    assert.deepEqual((await frugal.post('video-swap', video, { headers })).body, accepted.body);
    const quote = await frugal.post('video-swap', { ...video, quality: '4k' }, { query: '?dryRun=true' });
    assert.deepEqual(Object.keys(quote.body), ['dryRun', 'credits_estimated', 'faces', 'warnings']);
    assert.equal(quote.body.credits_estimated, 2 * accepted.body.credits_estimated);
    const other = await newClient();
    assertV1Error(await other.status(job_id), 404, 'JOB_NOT_FOUND', /no such job/);
    assertV1Error(await other.cancel(job_id), 404, 'JOB_NOT_FOUND', /no such job/);
  },
);

test(
  'batch: some images fail while others succeed, and only those are paid',
  { timeout: 300_000 },
  async () => {
    const accepted = await client.post('batch-swap', batch);
    assert.equal(accepted.status, 202, JSON.stringify(accepted.body));
    const { job_id, estimated_time } = accepted.body;
    assert.deepEqual(accepted.body, {
      success: true,
      job_id,
      status: 'processing',
      total_images: 4,
      completed: 0,
      failed: 0,
      estimated_time,
      credits_estimated: 12,
    });
    const seen = await client.poll(job_id);
    const [last] = seen;
    const { results } = last;
    assert.deepEqual(last, {
      success: true,
      job_id,
      type: 'batch_swap',
      status: 'completed',
      progress: 100,
      total_images: 4,
      completed: 2,
      failed: 2,
      credits_used: 6,
      results,
    });
    assert.deepEqual(results, [
      { index: 0, success: true, output_url: results[0].output_url },
      { index: 1, success: false, error: 'NO_FACE_DETECTED' },
      { index: 2, success: false, error: 'MEDIA_UNREACHABLE' },
      { index: 3, success: true, output_url: results[3].output_url },
    ]);
    for (const { output_url } of [results[0], results[3]])
      assert.equal((await fetch(output_url)).status, 200);
    for (const { status, progress, completed, failed, partial_results, ...rest } of seen) {
      if (status === 'completed') continue;
      assert.deepEqual(rest, { success: true, job_id, type: 'batch_swap', total_images: 4 });
      assert.equal(partial_results.length, completed + failed);
      const indexes = partial_results.map(({ index }: { index: number }) => index);
      assert.deepEqual(indexes, indexes.toSorted());
      assert.ok(progress < 100);
    }
  },
);

test('batch: when every image fails it is failed with the first code, and costs nothing', async () => {
  const frugal = await newClient({ credits: 6 });
  const { body } = await frugal.post('batch-swap', {
    ...batch,
    target_images: [noFace, `${webUrl}/nowhere`],
  });
  const [last] = await frugal.poll(body.job_id);
  assert.deepEqual(last, {
    success: false,
    job_id: body.job_id,
    type: 'batch_swap',
    status: 'failed',
    progress: last.progress,
    error: 'NO_FACE_DETECTED',
    message: last.message,
    total_images: 2,
    completed: 0,
    failed: 2,
    credits_used: 0,
    results: [
      { index: 0, success: false, error: 'NO_FACE_DETECTED' },
      { index: 1, success: false, error: 'MEDIA_UNREACHABLE' },
    ],
  });
  const paid = await frugal.post('batch-swap', { ...batch, target_images: [target, target] });
  assert.equal(paid.status, 202, JSON.stringify(paid.body));
});

const images = (count: number): string[] => Array.from({ length: count }, () => target);

test('batch: the plan limits the images of one and how many run', async () => {
  const free = await newClient({ plan: 'free' });
  const many = await free.post('batch-swap', { ...batch, target_images: images(11) });
  assertV1Error(many, 400, 'BATCH_TOO_LARGE', /^target_images has more than 10 images/, { limit: 10 });
  // Of pictures that never come, so that it is unfinished on a fast machine too.
  const never = Array.from({ length: 10 }, () => `${webUrl}/never`);
  const first = await free.post('batch-swap', { ...batch, target_images: never });
  assert.equal(first.status, 202, JSON.stringify(first.body));
  const second = await free.post('batch-swap', { ...batch, target_images: images(1) });
  assertV1Error(second, 429, 'CONCURRENT_BATCH_LIMIT', /one batch/, { limit: 1, reset_seconds: 30 });
  assert.equal(second.headers.get('retry-after'), '30');
  assert.equal((await free.cancel(first.body.job_id)).status, 200);
  assert.equal((await free.post('batch-swap', { ...batch, target_images: images(1) })).status, 202);
});

test('batch: bad lists are refused and the image named', async () => {
  const cases: [unknown, string, RegExp][] = [
    [undefined, 'INVALID_REQUEST', /^target_images is missing/],
    [[], 'INVALID_REQUEST', /^target_images must hold at least one image/],
    [target, 'INVALID_REQUEST', /^target_images must be an array of strings/],
    [[target, 1], 'INVALID_REQUEST', /^target_images\[1\] must be a string/],
    [[target, '*'], 'INVALID_REQUEST', /^target_images\[1\] is not valid base64/],
    [[target, 'https://'], 'INVALID_REQUEST', /^target_images\[1\] is not a valid URL/],
    [[target, Buffer.from('text').toString('base64')], 'INVALID_FORMAT', /^target_images\[1\] must be/],
  ];
  for (const [target_images, code, message] of cases) {
    assertV1Error(await client.post('batch-swap', { ...batch, target_images }), 400, code, message);
  }
});

test('a job id that is none is 404, and a query 400', async () => {
  for (const id of [
    'job_',
    'x',
    'job_00000000000000000000000000000000',
    'job_0000000000000000000000000000000G',
  ]) {
    assertV1Error(await client.status(id), 404, 'JOB_NOT_FOUND', /no such job/);
  }
  assertV1Error(await client.call('GET', '/v1/status/x?a=1'), 400, 'INVALID_REQUEST', /"a"/);
});
