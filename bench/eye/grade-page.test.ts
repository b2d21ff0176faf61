import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { createGradePage } from './grade-page.ts';
import { parseGrading } from './grades.ts';

let dir: string;
let gradesFile: string;
let server: Server;

before(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'guise-grade-page-'));
  gradesFile = path.join(dir, 'one.json');
  const sheets = [
    { number: 1, files: ['001.png'], graded: [1, 2] },
    { number: 2, files: ['002.png'], graded: [2] },
  ];
  await writeFile(path.join(dir, 'sheets.json'), JSON.stringify({ seed: 7, sheets }));
  await writeFile(path.join(dir, '001.png'), 'picture');
  server = await listen();
});

after(async () => {
  server.close();
  await rm(dir, { recursive: true });
});

async function listen(): Promise<Server> {
  const opened = await createGradePage({ sheetDir: dir, gradesFile, grader: 'one' });
  opened.listen(0, '127.0.0.1');
  await once(opened, 'listening');
  return opened;
}

function ask(where: string, body?: object): Promise<Response> {
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}${where}`;
  return fetch(url, body && { method: 'POST', body: JSON.stringify(body) });
}

test('the page and the pictures of the set are served, but no other files', async () => {
  assert.match(await (await ask('/')).text(), /Grades by eye/);
  assert.equal(await (await ask('/sheets/001.png')).text(), 'picture');
  assert.equal((await ask('/sheets/sheets.json')).status, 404);
  assert.equal((await ask('/sheets/../key.json')).status, 404);
});

test('each grade is written at once, and is there when the grader continues later', async () => {
  assert.equal((await ask('/grades', { number: 1, picture: 2, grade: 'C2' })).status, 200);
  assert.deepEqual(parseGrading(await readFile(gradesFile, 'utf8'), 7).grades, { 1: [null, 'C2'] });
  assert.equal((await ask('/grades', { number: 1, picture: 1, grade: 'A5' })).status, 200);
  server.close();
  server = await listen();
  const { grades } = (await (await ask('/set')).json()) as { grades: object };
  assert.deepEqual(grades, { 1: ['A5', 'C2'] });
});

test('unknown grades and grades of missing pictures are refused and change nothing', async () => {
  const saved = await readFile(gradesFile, 'utf8');
  for (const wrong of [
    { number: 2, picture: 1 },
    { number: 3 },
    { picture: 3 },
    { grade: 'E1' },
    { grade: 'A' },
  ]) {
    const answer = await ask('/grades', { number: 1, picture: 1, grade: 'B3', ...wrong });
    assert.equal(answer.status, 400);
  }
  assert.equal(await readFile(gradesFile, 'utf8'), saved);
});
