import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import { writeXmpToWebm } from '../../xmp/xmp-webm.ts';
import { sampleVideo } from '../../xmp/sample-video.test.ts';
import { TRAINED_ALGORITHMIC_MEDIA, writeXmp } from '../../xmp/xmp.ts';
import { ensureSigningFiles } from '../certificate.ts';
import { createManifestSigner, type ManifestSigner, type Origin } from '../manifest-signer.ts';
import { signBmff } from '../sign-bmff.ts';
import { signGif } from '../sign-gif.ts';
import { signStill } from '../sign-still.ts';
import { loadSigningIdentity } from '../signing-identity.ts';
import { readOrigin } from './read-origin.ts';

const GENERATED: Origin = { digitalSourceType: TRAINED_ALGORITHMIC_MEDIA };

let folder: string;
let signer: ManifestSigner;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'guise-origin-'));
  const identity = await loadSigningIdentity(await ensureSigningFiles(path.join(folder, 'signing')));
  const generator = { name: 'camera', version: '1' };
  signer = createManifestSigner(identity, { generator, digitalSourceType: 'http://example.com/captured' });
});
after(() => rm(folder, { recursive: true, force: true }));

const inFolder = (name: string): string => path.join(folder, name);
const picture = () => sharp({ create: { width: 9, height: 7, channels: 3, background: '#789' } });

/** Makes a file without XMP whose credentials say `origin`. */
async function credentialed(format: string, origin: Origin): Promise<string> {
  const file = inFolder(`credentialed.${format}`);
  if (format === 'gif') {
    await picture().gif().toFile(file);
    await signGif(file, signer, origin);
  } else if (format === 'mp4' || format === 'mov') {
    await sampleVideo(file, format);
    await signBmff(file, format === 'mp4' ? 'video/mp4' : 'video/quicktime', signer, origin);
  } else {
    const bytes = await picture()
      .toFormat(format as 'png')
      .toBuffer();
    await writeFile(file, await signStill(bytes, `image/${format}`, signer, origin));
  }
  return file;
}

for (const format of ['png', 'jpeg', 'webp', 'gif', 'mp4', 'mov']) {
  test(`content credentials of a ${format} say whether it was generated`, async () => {
    const generated = await readOrigin(await credentialed(format, GENERATED));
    assert.equal(generated.digitalSourceType, TRAINED_ALGORITHMIC_MEDIA);
    assert.equal((await readOrigin(await credentialed(format, {}))).digitalSourceType, undefined);
  });

  test(`a ${format} cut off anywhere is read without an exception`, async () => {
    const bytes = await readFile(await credentialed(format, GENERATED));
    const cut = inFolder(`cut.${format}`);
    for (let length = 0; length < bytes.length; length += 97) {
      await writeFile(cut, bytes.subarray(0, length));
      const { digitalSourceType = TRAINED_ALGORITHMIC_MEDIA } = await readOrigin(cut);
      assert.equal(digitalSourceType, TRAINED_ALGORITHMIC_MEDIA);
    }
  });
}

test('XMP says whether a picture or a WebM was generated, by http and https', async () => {
  const file = inFolder('xmp.jpg');
  for (const [digitalSourceType, wanted] of [
    [TRAINED_ALGORITHMIC_MEDIA, GENERATED],
    [TRAINED_ALGORITHMIC_MEDIA.replace('http', 'https'), GENERATED],
    [`${TRAINED_ALGORITHMIC_MEDIA}/or/not`, {}],
    ['http://cv.iptc.org/newscodes/digitalsourcetype/digitalCapture', {}],
  ] as const) {
    const xmp = writeXmp({ digitalSourceType, creatorTool: null });
    await picture().jpeg().withXmp(xmp).toFile(file);
    assert.deepEqual(await readOrigin(file), wanted, digitalSourceType);
  }
  const film = inFolder('xmp.webm');
  await sampleVideo(film, 'webm');
  await writeXmpToWebm(film, writeXmp({ digitalSourceType: TRAINED_ALGORITHMIC_MEDIA, creatorTool: null }));
  assert.deepEqual(await readOrigin(film), GENERATED);
});
