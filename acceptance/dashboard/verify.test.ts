/** The page on which anybody verifies a file, signed in or not. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  axeFindings,
  BOUNDED,
  openRig,
  RESTRICTED,
  type Rig,
  shoot,
  skipWithoutChromium,
  slot,
  visit,
} from './browser.ts';
import { body, face, type Picked } from './media.ts';

const PLACE = 'The file to check';

describe('verifying for everybody', { skip: skipWithoutChromium }, () => {
  let rig: Rig;
  let page: Page;
  let swapped: Picked;
  before(async () => {
    rig = await openRig();
    page = await rig.newPage();
    swapped = await swapInTerminal(rig);
  });
  after(() => rig?.close());

  test('a visitor comes from the page to sign in, and is told of a swapped photo', BOUNDED, async () => {
    await page.goto('/sign-in');
    await page.getByRole('link', { name: 'Verify a file without an account' }).click();
    await page.getByRole('heading', { name: 'Verify a file', level: 1 }).waitFor();
    assert.deepEqual(await axeFindings(page), []);
    await slot(page, PLACE).setInputFiles(swapped);
    const answer = page.getByRole('status');
    await answer.getByRole('heading', { name: 'It is marked as made with AI' }).waitFor();
    for (const title of ['Intact', 'Signed by this installation', 'A note in its XMP']) {
      await answer.getByText(title, { exact: true }).waitFor();
    }
    await answer.getByText('because marks can be removed').waitFor();
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      // Between the two schemes only colours differ.
      const rules = scheme === 'dark' ? ['color-contrast'] : null;
      assert.deepEqual(await axeFindings(page, rules), []);
      for (const [width, height] of [
        [1280, 900],
        [390, 844],
      ] as const) {
        await page.setViewportSize({ width, height });
        const scrolled = await page.evaluate<number>('document.documentElement.scrollWidth');
        assert.ok(scrolled <= width, `${scrolled} of ${width}`);
        await shoot(page, `verify-swapped-${scheme}-${width}`);
      }
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.getByText('The whole answer').click();
    await page.getByLabel('answer', { exact: true }).getByText('"ownSignature": true').waitFor();
  });

  test('a changed byte is told, and a photo without marks has none', BOUNDED, async () => {
    const buffer = Buffer.from(swapped.buffer);
    buffer[buffer.length >> 1]! ^= 1;
    await slot(page, PLACE).setInputFiles({ ...swapped, name: 'changed.png', buffer });
    await page.getByText('Changed since it was signed', { exact: true }).waitFor();
    await shoot(page, 'verify-changed-390');
    await slot(page, PLACE).setInputFiles(face);
    await page.getByRole('heading', { name: 'It has no mark of AI' }).waitFor();
    await page.getByText('Not signed', { exact: true }).waitFor();
    await shoot(page, 'verify-plain-390');
  });

  test('what is no picture, or too large, is refused in a sentence', BOUNDED, async () => {
    const text = { name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('just text') };
    await slot(page, PLACE).setInputFiles(text);
    await page.getByRole('alert').getByText('file must be of type JPEG').waitFor();
    assert.equal(await page.getByRole('status').innerText(), '');
    // By its path: the browser takes many seconds over that many bytes in a message.
    const folder = await mkdtemp(path.join(tmpdir(), 'guise-verify-'));
    try {
      const large = path.join(folder, 'large.png');
      await writeFile(large, Buffer.alloc(30 * 1024 * 1024 + 1));
      await slot(page, PLACE).setInputFiles(large);
      await page.getByRole('alert').getByText('The file is larger than 30 MiB.').waitFor();
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('a visitor who sends too many files is told when to go on', BOUNDED, async () => {
    let status: number;
    do ({ status } = await fetch(`${rig.service.url}/verify`, { method: 'POST' }));
    while (status === 400);
    assert.equal(status, 429);
    await slot(page, PLACE).setInputFiles(face);
    await page.getByText(/^Too many attempts; try again in \d+ seconds\.$/).waitFor();
    assert.deepEqual(await axeFindings(page), []);
  });

  test('the menu leads to the page, within the frame of the others', BOUNDED, async () => {
    const own = await rig.signedIn();
    await visit(own, '/');
    await own.getByRole('link', { name: 'Verify', exact: true }).click();
    await own.getByRole('heading', { name: 'Verify a file', level: 1 }).waitFor();
    await slot(own, PLACE).waitFor({ state: 'attached' });
    await shoot(own, 'verify-signed-in');
  });

  test('nothing was blocked by the Content-Security-Policy, nothing asked of another host', () => {
    assert.deepEqual(rig.complaints, []);
  });
});

describe('verifying for everybody, turned off', { skip: skipWithoutChromium }, () => {
  test('nothing leads to the page, and it does not exist', BOUNDED, async () => {
    const rig = await openRig(RESTRICTED);
    try {
      const page = await rig.newPage();
      assert.equal((await page.goto('/verify'))!.status(), 404);
      await page.goto('/sign-in');
      await page.getByRole('link', { name: 'Forgot your password?' }).waitFor();
      assert.equal(await page.getByRole('link', { name: /Verify/ }).count(), 0);
      const own = await rig.signedIn();
      await own.getByRole('link', { name: 'Usage' }).waitFor();
      assert.equal(await own.getByRole('link', { name: 'Verify' }).count(), 0);
    } finally {
      await rig.close();
    }
  });
});

/** Puts the sample face into a photo with the command, which signs with the key of the service. */
async function swapInTerminal({ service }: Rig): Promise<Picked> {
  const folder = await mkdtemp(path.join(tmpdir(), 'guise-verify-'));
  try {
    const [source, target, output] = ['face.jpg', 'body.jpg', 'swapped.png'].map((name) =>
      path.join(folder, name),
    );
    await writeFile(source!, face.buffer);
    await writeFile(target!, body.buffer);
    await service.guise('swap', source!, target!, '-o', output!);
    return { name: 'swapped.png', mimeType: 'image/png', buffer: await readFile(output!) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
