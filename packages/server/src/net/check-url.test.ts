import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkPublicUrl } from './check-url.ts';
import { NetError } from './net-error.ts';

function refusal(text: string, allowPrivate = false): string | null {
  try {
    checkPublicUrl(text, { allowPrivate });
    return null;
  } catch (error) {
    assert(error instanceof NetError);
    assert.equal(error.code, 'UNREACHABLE');
    return error.message;
  }
}

const NOT_PUBLIC = 'its host has no public address';

test('http and https URLs of names and public addresses pass, on any port but those of other protocols', () => {
  for (const text of [
    'https://example.com/hook?a=1#b',
    'http://example.com:8080/',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]:8443/',
    'HTTPS://EXAMPLE.com./',
    'https://localhost.example.com/',
  ]) {
    assert.equal(refusal(text), null, text);
  }
  for (const port of [22, 25, 6667]) assert.match(refusal(`http://example.com:${port}/`) ?? '', /port/);
});

test('every spelling of loopback, private and metadata addresses is refused', () => {
  for (const host of [
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '0',
    '0.0.0.0',
    '127.0.0.1.',
    '127.1.',
    '１２７.0.0.1',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '①②⑦.0.0.1',
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[2002:7f00:1::]',
    '[fe80::1]',
    '[fd00::1]',
    '[ff02::1]',
    '10.0.0.1',
    '192.168.1.1',
    '172.16.0.1',
    '169.254.169.254',
    '0xA9FEA9FE',
    '2852039166',
    '100.100.100.200',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'any.localhost',
    'any.localhost.',
  ]) {
    assert.equal(refusal(`http://${host}:8080/`), NOT_PUBLIC, host);
  }
});

test('with private addresses allowed, metadata and disguised addresses are still refused', () => {
  for (const host of ['127.0.0.1', '2130706433', '[::1]', 'localhost', '10.0.0.1', '[fd12::1]']) {
    assert.equal(refusal(`http://${host}/`, true), null, host);
  }
  for (const host of [
    '169.254.169.254',
    '2852039166',
    '[fd00:ec2::254]',
    '[fe80::1]',
    '100.100.100.200',
    '0.0.0.0',
    '[::ffff:127.0.0.1]',
    '[::ffff:169.254.169.254]',
    '[64:ff9b::a9fe:a9fe]',
    '[2002:a9fe:a9fe::]',
  ]) {
    assert.equal(refusal(`http://${host}/`, true), NOT_PUBLIC, host);
  }
});

test('other schemes, credentials, zones, nonsense and long URLs are refused, each with its sentence', () => {
  for (const text of [
    'file:///etc/passwd',
    'ftp://example.com/',
    'gopher://x',
    'data:,x',
    'ws://example.com',
  ]) {
    assert.equal(refusal(text), 'only http and https URLs are fetched', text);
  }
  for (const text of ['http://u:p@example.com/', 'http://u@example.com/', 'https://:p@example.com/']) {
    assert.equal(refusal(text), 'a URL must not hold a user name or password', text);
  }
  for (const text of [
    '',
    'nope',
    '//example.com/',
    'http://',
    'http:///',
    'http://exa mple.com/',
    'http://example.com:99999/',
    'http://[fe80::1%25eth0]/',
    'http://[fe80::1%eth0]/',
    'http://[::1',
    'http://256.1.1.1/',
    'http://0x1.2.3.4.5/',
  ]) {
    assert.equal(refusal(text), 'it is not a valid URL', text);
  }
  const longest = `https://example.com/${'a'.repeat(2048 - 20)}`;
  assert.equal(refusal(longest), null);
  assert.match(refusal(`${longest}a`) ?? '', /longer than 2048/);
});
