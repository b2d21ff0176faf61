import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXAMPLE_FACE } from '@guise/contract/openapi-parts.ts';
import { parseFaceBox } from './parse-face-box.ts';

const right = { x: 10, y: 0, width: 0.5, height: 120 };

function refused(value: unknown, message: RegExp): void {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  assert.throws(() => parseFaceBox('faceBox3', text), { code: 'INVALID_REQUEST', message }, text);
}

test('a box is taken as it was sent, with and without a faceIndex', () => {
  assert.deepEqual(parseFaceBox('faceBox3', JSON.stringify(right)), right);
  assert.deepEqual(parseFaceBox('faceBox3', JSON.stringify({ ...right, faceIndex: 0 })), {
    ...right,
    faceIndex: 0,
  });
});

test('a face as detect-faces answers it is a box; what says nothing of where it is is left out', () => {
  const { score, yaw, pitch, roll, ...box } = EXAMPLE_FACE;
  assert.ok(score && yaw && pitch && roll);
  assert.deepEqual(parseFaceBox('faceBox3', JSON.stringify(EXAMPLE_FACE)), box);
});

test('what is no JSON object is refused', () => {
  for (const text of ['', ' ', '{', 'null', '[]', '[1,2,3,4]', '"x"', '7', '{"x":1,}', '10,20,30,40']) {
    refused(text, /^faceBox3 must be a JSON object/);
  }
});

test('each number must be there and be one', () => {
  for (const member of ['x', 'y', 'width', 'height']) {
    for (const bad of [undefined, null, '1', true, [1]]) {
      refused({ ...right, [member]: bad }, new RegExp(`^faceBox3 needs a number ${member}`));
    }
  }
  refused('{"x":1e999,"y":0,"width":1,"height":1}', /^faceBox3 needs a number x/);
});

test('a size of 0 or less is refused', () => {
  for (const size of [0, -1, -0.001]) {
    refused({ ...right, width: size }, /above 0/);
    refused({ ...right, height: size }, /above 0/);
  }
});

test('a faceIndex is a whole number from 0', () => {
  for (const faceIndex of [-1, 0.5, '0', null, 2 ** 60, true]) refused({ ...right, faceIndex }, /faceIndex/);
});

test('a member that was sent twice is named, however it is written', () => {
  refused('{"x":1,"x":2,"y":1,"width":1,"height":1}', /^faceBox3 has the member "x" twice\.$/);
  refused('{"x":1,"y":":\\"","width":1,"height":1,"\\u0079" :2}', /^faceBox3 has the member "y" twice\.$/);
  refused('{"x":{"y":["x"]},"y":1,"width":1,"height":1,"x":2}', /^faceBox3 has the member "x" twice\.$/);
  // Of members that are ignored nothing is said, whatever they hold.
  assert.deepEqual(parseFaceBox('faceBox3', JSON.stringify({ ...right, score: { x: [{ x: 1 }] } })), right);
});

test('unknown members are named, prototype names included', () => {
  for (const member of ['w', 'X', 'faceindex', '__proto__', 'constructor']) {
    refused(
      `{"x":1,"y":1,"width":1,"height":1,${JSON.stringify(member)}:1}`,
      new RegExp(`^faceBox3 has an unknown member "${member}"`),
    );
  }
});
