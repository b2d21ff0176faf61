/**
 * `/api/ai-tasks`, photo workflow: one `describe` a status, every sentence of the spec and the
 * decisions a test.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { assertError, photo } from './client.ts';
import {
  MIB,
  UUID,
  client,
  face,
  newClient,
  noFace,
  padded,
  postBody,
  right,
  service,
  target,
  without,
} from './photo-setup.ts';

describe('400', () => {
  for (const name of ['sourceImage', 'targetImage']) {
    test(`${name} is required`, async () => {
      assertError(await client.post(without(name)), 400, new RegExp(`^${name} is missing`));
    });
    test(`${name} must be a file, sent once, not empty`, async () => {
      assertError(
        await client.post([...without(name), [name, 'text']]),
        400,
        new RegExp(`^${name} must be a file`),
      );
      assertError(
        await client.post([...right, [name, { bytes: face }]]),
        400,
        new RegExp(`^${name} was sent twice`),
      );
      const empty = { bytes: new Uint8Array() };
      assertError(
        await client.post([...without(name), [name, empty]]),
        400,
        new RegExp(`^${name} is an empty file`),
      );
    });
    test(`${name} of one byte more than 30 MiB is refused with the limit`, async () => {
      const answer = await client.post([...without(name), [name, { bytes: padded(30 * MIB + 1) }]]);
      assertError(answer, 400, new RegExp(`^${name} is larger than 31457280 bytes`), {
        code: 'IMAGE_TOO_LARGE',
        limit: 31_457_280,
      });
    });
    test(`${name} is judged by its content, not by its name or type`, async () => {
      for (const content of [
        '<svg xmlns="http://www.w3.org/2000/svg"/>',
        'hello',
        '%PDF-1.7',
        'II*\0',
        await sharp(face).avif({ effort: 0 }).toBuffer(),
      ]) {
        const file = { bytes: Buffer.from(content), name: 'a.png', type: 'image/png' };
        assertError(
          await client.post([...without(name), [name, file]]),
          400,
          new RegExp(`^${name} must be a JPEG`),
        );
      }
    });
  }

  for (const name of ['faceRestoreVisibility', 'restoreVisibility']) {
    test(`${name} outside of 0 to 1, or no number, is refused`, async () => {
      for (const value of ['-0.001', '1.001', '2', '', ' 1', '1 ', 'NaN', 'Infinity', '0x1', '1,0', 'high']) {
        const answer = await client.post(photo(face, target, [[name, value]]));
        assertError(answer, 400, new RegExp(`^${name} must be a number from 0 to 1`));
      }
      assertError(await client.post(photo(face, target, [[name, { bytes: face }]])), 400, /must be text/);
      assertError(
        await client.post(
          photo(face, target, [
            [name, '1'],
            [name, '1'],
          ]),
        ),
        400,
        /was sent twice/,
      );
    });
  }

  test('unknown fields are named', async () => {
    for (const name of ['quality', '__proto__', 'sourceImages', 'SourceImage']) {
      assertError(
        await client.post(photo(face, target, [[name, 'x']])),
        400,
        new RegExp(`^Unknown field "${name}"`),
      );
    }
  });

  test('a body that is not multipart/form-data is refused', async () => {
    for (const [type, content] of [
      ['application/json', '{}'],
      ['application/x-www-form-urlencoded', 'a=b'],
      ['multipart/mixed; boundary=x', '--x--'],
      ['image/png', 'x'],
    ] as const) {
      const answer = await postBody(type, content);
      assertError(answer, 400, /multipart\/form-data/);
    }
    assertError(await client.call('POST', '/api/ai-tasks'), 400, /multipart\/form-data/);
  });

  test('a multipart body that is cut or has no boundary is refused', async () => {
    assertError(await postBody('multipart/form-data', '--x--'), 400, /boundary/);
    const cut = '--x\r\nContent-Disposition: form-data; name="sourceImage"; filename="a"\r\n\r\nabc';
    assertError(await postBody('multipart/form-data; boundary=x', cut), 400, /malformed or ends too early/);
  });

  test('unknown query parameters and other values of dryRun are refused', async () => {
    assertError(await client.post(right, { query: '?dryRun=false' }), 400, /dryRun must be true/);
    assertError(await client.post(right, { query: '?dryRun' }), 400, /dryRun must be true/);
    assertError(await client.post(right, { query: '?dryRun=true&dryRun=true' }), 400, /dryRun must be true/);
    assertError(await client.post(right, { query: '?async=1' }), 400, /Unknown query parameter "async"/);
  });

  test('a malformed, missing or repeated taskId is refused on GET and DELETE', async () => {
    for (const method of ['GET', 'DELETE']) {
      const call = (query: string) => client.call(method, '/api/ai-tasks', { query });
      assertError(await call(''), 400, /taskId is missing/);
      for (const bad of ['1', 'null', `${'0'.repeat(36)}`, "' or 1=1", `${crypto.randomUUID()}0`]) {
        assertError(await call(`?taskId=${encodeURIComponent(bad)}`), 400, /taskId must be one UUID/);
      }
      const id = crypto.randomUUID();
      assertError(await call(`?taskId=${id}&taskId=${id}`), 400, /taskId must be one UUID/);
      assertError(await call(`?taskId=${id}&verbose=1`), 400, /Unknown query parameter "verbose"/);
    }
  });

  test('another Api-Version is refused, the right one is welcome', async () => {
    const id = crypto.randomUUID();
    assertError(
      await client.get(id, { headers: { 'api-version': '2026-08-15' } }),
      400,
      /Api-Version must be 2026-08-14/,
    );
    assertError(await client.post(right, { headers: { 'api-version': 'latest' } }), 400, /Api-Version/);
    assertError(await client.get(id, { headers: { 'api-version': '2026-08-14' } }), 404, /./);
  });

  test('an Idempotency-Key that is empty or longer than 255 is refused', async () => {
    for (const key of ['', 'k'.repeat(256)]) {
      assertError(
        await client.post(right, { headers: { 'idempotency-key': key } }),
        400,
        /^Idempotency-Key/,
        { limit: 255 },
      );
    }
  });

  test('more than 100 megapixels are refused before anything is decoded', async () => {
    const header = Buffer.from(target);
    header.writeUInt32BE(10_001, 16);
    header.writeUInt32BE(10_000, 20);
    assertError(await client.post(photo(face, header)), 400, /^targetImage has more than 100000000 pixels/, {
      code: 'IMAGE_TOO_LARGE',
      limit: 100_000_000,
    });
  });
});

describe('401', () => {
  const wrong: Record<string, string>[] = [
    {},
    { authorization: '' },
    { authorization: 'Bearer' },
    { authorization: 'Bearer gsk_wrong' },
    { authorization: `Bearer gsk_${'A'.repeat(43)}` },
    { authorization: `Basic ${btoa('a:b')}` },
    { 'x-api-key': 'gsk_x' },
  ];
  for (const headers of wrong) {
    test(`with ${JSON.stringify(headers)}, whatever else is wrong`, async () => {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const response = await fetch(`${service.url}/api/ai-tasks?nonsense=1`, { method, headers });
        assert.equal(response.status, 401, method);
        assert.deepEqual(Object.keys((await response.json()) as object), ['error', 'code']);
      }
      const upload = await fetch(`${service.url}/api/ai-tasks`, {
        method: 'POST',
        headers,
        body: Buffer.alloc(3 * MIB),
      });
      assert.equal(upload.status, 401, 'a client that sends its body first still hears the answer');
    });
  }
});

describe('402', () => {
  test('too few credits: required and available, and nothing is held', async () => {
    const poor = await newClient({ credits: 2 });
    for (let times = 0; times < 2; times += 1) {
      assertError(await poor.post(right), 402, /costs 3 credits/, { required: 3, available: 2 });
    }
  });

  test('an invalid request is 400 before it is 402', async () => {
    const poor = await newClient({ credits: 0 });
    assertError(await poor.post(without('sourceImage')), 400, /sourceImage/);
  });

  test('30 parallel POSTs against credits for 3 make exactly 3 tasks', async () => {
    const own = await newClient({ credits: 9 });
    const answers = await Promise.all(Array.from({ length: 30 }, () => own.post(right)));
    assert.equal(answers.filter((each) => each.status === 200).length, 3);
    for (const refused of answers.filter((each) => each.status !== 200)) {
      assertError(refused, 402, /./, { required: 3, available: 0 });
    }
  });
});

describe('403', () => {
  test('an unverified email may not POST, but may read', async () => {
    const unverified = await newClient({ unverified: true });
    assertError(await unverified.post(right), 403, /email address of this account is not verified/);
    assertError(await unverified.post([], { path: '/api/ai-tasks/detect-faces' }), 403, /not verified/);
    assertError(await unverified.get(crypto.randomUUID()), 404, /./);
  });
});

describe('404', () => {
  test('an unknown task and that of another account look the same', async () => {
    const { taskId } = (await client.post(right)).body;
    const stranger = await newClient();
    const [unknown, foreign] = [await stranger.get(crypto.randomUUID()), await stranger.get(taskId)];
    assertError(unknown, 404, /no such task/);
    assert.deepEqual(foreign.body, unknown.body);
    assert.equal(foreign.status, 404);
    assert.deepEqual((await stranger.cancel(taskId)).body, unknown.body);
    assert.equal(
      (await client.untilTerminal(taskId)).status,
      'COMPLETED',
      'and the stranger cancelled nothing',
    );
  });

  test('unknown paths and methods have the same shape', async () => {
    assertError(await client.call('GET', '/api/nothing'), 404, /./);
    assertError(await client.call('PATCH', '/api/ai-tasks', { body: 'x' }), 404, /./);
    assertError(await client.call('GET', '/api/ai-tasks/detect-faces'), 404, /./);
  });
});

describe('409', () => {
  test('an Idempotency-Key used for another request: other file, other field, other query', async () => {
    const headers = { 'idempotency-key': 'conflict' };
    assert.equal((await client.post(right, { headers })).status, 200);
    assertError(await client.post(photo(face, face), { headers }), 409, /Idempotency-Key/);
    assertError(
      await client.post(photo(face, target, [['restoreVisibility', '1']]), { headers }),
      409,
      /Idempotency-Key/,
    );
    assertError(await client.post(right, { headers, query: '?dryRun=true' }), 409, /Idempotency-Key/);
  });

  test('a finished task cannot be cancelled', async () => {
    for (const fields of [right, photo(face, noFace)]) {
      const { id, status } = await client.run(fields);
      assertError(await client.cancel(id), 409, /./);
      assert.equal((await client.get(id)).body.status, status);
    }
  });
});

describe('429', () => {
  test('POSTs up to the plan are taken, then refused with limit, reset and Retry-After; 400s count', async () => {
    const free = await newClient({ plan: 'free' });
    for (let left = 9; left >= 0; left -= 1) {
      const counted = await free.post([]);
      assert.equal(counted.status, 400);
      assert.match(counted.headers.get('ratelimit')!, new RegExp(`;r=${left};t=\\d+$`));
    }
    const refused = await free.post(right);
    const { resetSeconds } = refused.body;
    assertError(refused, 429, /At most 10/, { limit: 10, resetSeconds });
    assert.ok(resetSeconds >= 1 && resetSeconds <= 60);
    assert.equal(refused.headers.get('retry-after'), String(resetSeconds));
    assert.match(refused.headers.get('ratelimit-policy')!, /;q=10;w=60$/);
    const detecting = await free.post([], { path: '/api/ai-tasks/detect-faces' });
    assertError(detecting, 429, /./, { limit: 10, resetSeconds: detecting.body.resetSeconds });
    // Reads have a bucket of their own.
    assertError(await free.get(crypto.randomUUID()), 404, /./);
  });

  test('reads get ten times the requests, exact under concurrency', async () => {
    const free = await newClient({ plan: 'free' });
    const answers = await Promise.all(Array.from({ length: 110 }, () => free.get(crypto.randomUUID())));
    assert.equal(answers.filter((each) => each.status === 404).length, 100);
    assert.equal(answers.filter((each) => each.status === 429 && each.body.limit === 100).length, 10);
  });
});

describe('every response', () => {
  test('has X-Request-Id, Api-Version and nothing that a browser could run', async () => {
    const ids = new Set<string>();
    for (const path of [
      '/api/ai-tasks',
      '/api/ai-tasks/openapi.json',
      '/nowhere',
      '/livez',
      '/readyz',
      '/files/x',
      '/%zz',
    ]) {
      const { headers } = await fetch(service.url + path);
      assert.equal(headers.get('api-version'), '2026-08-14', path);
      assert.match(headers.get('x-request-id')!, UUID);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.equal(headers.get('access-control-allow-origin'), null);
      ids.add(headers.get('x-request-id')!);
    }
    assert.equal(ids.size, 7);
  });
});
