import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseXmp, SWAP_PROVENANCE, writeXmp } from './xmp.ts';

test('the mark is written and read back, whatever is in it', () => {
  assert.deepEqual(parseXmp(writeXmp(SWAP_PROVENANCE)), SWAP_PROVENANCE);
  const odd = { digitalSourceType: 'urn:a?b=1&c="2"', creatorTool: '<tool> & "co" &lt;' };
  assert.deepEqual(parseXmp(writeXmp(odd)), odd);
  const nameless = { digitalSourceType: 'urn:x', creatorTool: null };
  assert.deepEqual(parseXmp(writeXmp(nameless)), nameless);
});

test('properties that other tools write as attributes or with their own prefix are read', () => {
  const packet = `<rdf:Description iptcExt:DigitalSourceType='urn:x' ns0:CreatorTool="a"/>`;
  assert.deepEqual(parseXmp(packet), { digitalSourceType: 'urn:x', creatorTool: 'a' });
});

test('a packet without a digital source type says nothing', () => {
  assert.equal(parseXmp('<rdf:Description xmp:CreatorTool="camera"/>'), null);
  assert.equal(parseXmp(''), null);
});
