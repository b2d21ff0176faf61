import assert from 'node:assert/strict';
import { test } from 'node:test';
import { API_DESCRIPTION } from '@guise/contract/ai-tasks/openapi.ts';
import { fieldRows, type InterfaceDocument, operationsOf } from './interface-document.ts';

const document = JSON.parse(JSON.stringify(API_DESCRIPTION)) as InterfaceDocument;
const found = (search: string): string[] => operationsOf(document, search).map(({ anchor }) => anchor);
const fieldsOf = (path: string) =>
  fieldRows(document, document.paths[path]!.post!.requestBody!.content['multipart/form-data']!.schema);

test('numbered fields are one row, and what is inside of their JSON follows', () => {
  const names = fieldsOf('/api/ai-tasks/multi-face-swap').map(({ name }) => name);
  assert.ok(names.includes('targetFace0 to targetFace9'));
  assert.equal(names.filter((name) => name.startsWith('targetFace')).length, 1);
  assert.ok(names.includes('faceBox0.width'));
  const person = fieldsOf('/api/ai-tasks/video').find(({ name }) => name === 'faceBox0.personIndex');
  assert.equal(person?.type, 'integer');
  assert.equal(person?.isRequired, true);
});

test('types are said as a reader knows them', () => {
  const types = new Map(fieldsOf('/api/ai-tasks/video').map(({ name, type }) => [name, type]));
  assert.equal(types.get('targetVideo'), 'file');
  assert.equal(types.get('quality'), '720p, 1080p');
  assert.equal(types.get('restoreVisibility'), 'number, 0 to 1');
  assert.equal(types.get('additionalSourceImages'), 'list of file');
});

test('a search finds operations by path, summary and fields; all words must be there', () => {
  assert.ok(found('multi-face').includes('post--api-ai-tasks-multi-face-swap'));
  assert.ok(found('personIndex video').includes('post--api-ai-tasks-video'));
  assert.deepEqual(found('nothing-is-called-so'), []);
});
