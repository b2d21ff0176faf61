import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networksOf } from './networks.ts';

test('an IPv6 address is counted by /64, /56 and /48, an IPv4 address by itself', () => {
  assert.deepEqual(networksOf('2001:db8:1:2ab::7'), [
    '2001:db8:1:2ab::/64',
    '2001:db8:1:200::/56',
    '2001:db8:1::/48',
  ]);
  assert.deepEqual(networksOf('203.0.113.9'), ['203.0.113.9']);
  assert.deepEqual(networksOf('::ffff:203.0.113.9'), ['203.0.113.9']);
});

test('all spellings of an address are in the same networks', () => {
  const spellings = ['fe80::1%eth0', 'FE80:0:0:0:0:0:0:1', 'fe80::0001'];
  for (const spelling of spellings) {
    assert.deepEqual(networksOf(spelling), ['fe80:0:0:0::/64', 'fe80:0:0:0::/56', 'fe80:0:0::/48']);
  }
  assert.deepEqual(networksOf('::1'), ['0:0:0:0::/64', '0:0:0:0::/56', '0:0:0::/48']);
});
