import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sniffImage } from './sniff.ts';

const ascii = (text: string) => Buffer.from(text, 'latin1');
/** A file type box: size, `ftyp`, major brand, minor version, compatible brands. */
function fileType(major: string, ...compatible: string[]): Buffer {
  const box = Buffer.concat([ascii(`\0\0\0\0ftyp${major}\0\0\0\0`), ...compatible.map(ascii)]);
  box.writeUInt32BE(box.length, 0);
  return box;
}

test('each accepted format is known by its first bytes', () => {
  assert.equal(sniffImage(ascii('\xff\xd8\xff\xe0\0\x10JFIF')), 'jpeg');
  assert.equal(sniffImage(ascii('\x89PNG\r\n\x1a\n\0\0\0\rIHDR')), 'png');
  assert.equal(sniffImage(ascii('GIF87a\x01\0\x01\0')), 'gif');
  assert.equal(sniffImage(ascii('GIF89a\x01\0\x01\0')), 'gif');
  assert.equal(sniffImage(ascii('RIFF\x10\0\0\0WEBPVP8L')), 'webp');
  assert.equal(sniffImage(ascii('BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x01\0')), 'bmp');
});

test('HEIF is known by any of its brands, and AVIF also behind a general brand', () => {
  for (const brand of ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1']) {
    assert.equal(sniffImage(fileType(brand)), 'heif', brand);
  }
  assert.equal(sniffImage(fileType('MiHB', 'miaf', 'heic')), 'heif');
  assert.equal(sniffImage(fileType('avif', 'mif1')), 'avif');
  assert.equal(sniffImage(fileType('mif1', 'miaf', 'avif')), 'avif');
});

test('everything else is refused, whatever it is named', () => {
  const others = {
    nothing: '',
    text: 'BMW is not a bitmap, whatever it starts with',
    html: '<!doctype html><script>1</script>',
    svg: '<svg xmlns="http://www.w3.org/2000/svg"/>',
    svgWithDeclaration: '<?xml version="1.0"?><!DOCTYPE svg>',
    littleTiff: 'II*\0\x08\0\0\0',
    bigTiff: 'MM\0*\0\0\0\x08',
    icon: '\0\0\x01\0\x01\0\x10\x10',
    pixmap: 'P6 128 128 255\n',
    pdf: '%PDF-1.7',
    wave: 'RIFF\x10\0\0\0WAVEfmt ',
    jpegXl: '\xff\x0a\0\0',
    photoshop: '8BPS\0\x01',
  };
  for (const [name, head] of Object.entries(others)) assert.equal(sniffImage(ascii(head)), null, name);
  assert.equal(sniffImage(fileType('isom', 'iso2', 'mp41')), null, 'MP4');
});
