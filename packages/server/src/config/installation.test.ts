import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { describeInstallation } from './installation.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'guise-installation-'));
after(() => rmSync(folder, { recursive: true }));
writeFileSync(path.join(folder, 'package.json'), '{}');
const INSIDE = 'node_modules/@guise/guise';

test('a clone keeps its data and finds its command in its own folder', () => {
  assert.deepEqual(describeInstallation(folder, '/home/ann'), {
    kind: 'clone',
    dataDir: path.join(folder, '.guise'),
    command: 'npx guise',
    commandFolder: folder,
  });
});

test('a package in a folder keeps its data beside node_modules', () => {
  assert.deepEqual(describeInstallation(path.join(folder, INSIDE), '/home/ann'), {
    kind: 'folder',
    dataDir: path.join(folder, '.guise'),
    command: 'npx guise',
    commandFolder: folder,
  });
});

test('a package for the whole machine keeps its data in the home folder', () => {
  const expected = {
    kind: 'machine',
    dataDir: '/home/ann/.guise',
    command: 'guise',
    commandFolder: null,
  };
  assert.deepEqual(describeInstallation(`/usr/lib/${INSIDE}`, '/home/ann'), expected);
  const cache = path.join('/home/ann/.npm/_npx/0123abcd', INSIDE);
  assert.deepEqual(describeInstallation(cache, '/home/ann'), expected);
});
