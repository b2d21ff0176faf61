import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertError, photo } from './client.ts';
import { client, face, newClient, target } from './photo-setup.ts';

const ENGINES = '/api/ai-tasks/engines';

test('the list of engines names the default, and what each draws with', async () => {
  const { status, body } = await client.call('GET', ENGINES);
  assert.equal(status, 200);
  assert.deepEqual(body, {
    default: 'mesh',
    engines: [{ id: 'mesh', kind: 'mesh', resolution: 1024, providers: ['cpu'], priceFactor: 1 }],
  });
  assertError(
    await client.call('GET', ENGINES, { headers: { authorization: 'Bearer nobody' } }),
    401,
    /key/i,
  );
});

test('a request may name an engine of the list, and no other', async () => {
  const accepted = await client.post(photo(face, target, [['engine', 'mesh']]));
  assert.equal(accepted.status, 200, JSON.stringify(accepted.body));
  const task = await client.untilTerminal(accepted.body.taskId);
  assert.equal(task.status, 'COMPLETED', JSON.stringify(task));
  assert.equal(task.parameters.engine, 'mesh');
  assert.equal(task.result.receipt.engine.name, 'mesh');
  const poor = await newClient({ credits: 0 });
  for (const engine of ['', 'Mesh', '-x', 'x'.repeat(41)])
    assertError(
      await poor.post(photo(face, target, [['engine', engine]])),
      400,
      /^engine must be an id that GET \/api\/ai-tasks\/engines lists\.$/,
      { code: 'INVALID_REQUEST' },
    );
  assertError(await poor.post(photo(face, target, [['engine', 'inswapper']])), 400, /^engine must be mesh:/, {
    code: 'ENGINE_UNAVAILABLE',
  });
});

test('a request without an engine has none in its parameters', async () => {
  const { body } = await client.post(photo(face, target));
  const { parameters } = (await client.get(body.taskId)).body;
  assert.ok(!('engine' in parameters), JSON.stringify(parameters));
  await client.untilTerminal(body.taskId);
});
