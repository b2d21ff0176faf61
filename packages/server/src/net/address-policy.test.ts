import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressPolicy } from './address-policy.ts';

const PUBLIC = [
  '8.8.8.8',
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.0',
  '172.15.255.255',
  '172.32.0.1',
  '100.128.0.1',
  '126.255.255.255',
  '128.0.0.1',
  '192.169.0.1',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00:1450:4001::1',
  '2001:4860:4860::8888',
  '2003::1',
];

const PRIVATE = [
  '127.0.0.1',
  '127.255.255.254',
  '10.0.0.0',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '::1',
  'fc00::1',
  'fd12:3456::1',
  '0:0:0:0:0:0:0:1',
];

const NEVER = [
  // Link-local and metadata: Amazon and most others, Alibaba, Oracle, Azure, Amazon's, Google's and
  // Scaleway's IPv6.
  '169.254.0.1',
  '169.254.169.254',
  '169.254.170.2',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
  'fd00:ec2::254',
  'fd20:ce::254',
  'fd00:42::42',
  'fe80::1',
  'febf::1',
  'fec0::1',
  // A zone, also of an address that would otherwise pass.
  'fe80::1%eth0',
  '2606:4700::1111%eth0',
  '::1%lo',
  // This host, shared, protocol assignments, documentation, benchmarks, AS112, AMT, 6to4 relays.
  '0.0.0.0',
  '0.1.2.3',
  '100.64.0.1',
  '192.0.0.8',
  '192.0.2.1',
  '198.51.100.1',
  '203.0.113.1',
  '198.18.0.1',
  '192.31.196.1',
  '192.52.193.1',
  '192.88.99.1',
  '192.175.48.1',
  // Multicast, reserved, broadcast.
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  'ff02::1',
  'ff0e::1',
  // IPv4 inside IPv6, public and private alike: mapped, compatible, translated (NAT64, SIIT), 6to4,
  // Teredo.
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:169.254.169.254',
  '::ffff:8.8.8.8',
  '::127.0.0.1',
  '::',
  '64:ff9b::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '::ffff:0:127.0.0.1',
  '2002:7f00:1::',
  '2002:a00:1::1',
  '2001:0:7f00:1::',
  '2001::1',
  // Discard, segment routing, documentation, ORCHID, AS112.
  '100::1',
  '5f00::1',
  '2001:db8::1',
  '3fff::1',
  '2001:20::1',
  '2620:4f:8000::1',
  // No address at all, or a spelling that no resolver gives.
  '',
  'nonsense',
  '127.1',
  '2130706433',
  '0x7f.1',
  '0177.0.0.1',
  '[::1]',
  '8.8.8.8 ',
  '8.8.8.8/32',
];

test('public addresses only, unless private ones are wanted; link-local, metadata and disguised ones never', () => {
  const strict = addressPolicy({ allowPrivate: false });
  const open = addressPolicy({ allowPrivate: true });
  for (const address of PUBLIC) assert.deepEqual([strict(address), open(address)], [true, true], address);
  for (const address of PRIVATE) assert.deepEqual([strict(address), open(address)], [false, true], address);
  for (const address of NEVER) assert.deepEqual([strict(address), open(address)], [false, false], address);
});
