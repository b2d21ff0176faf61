/** Swaps in a real Chromium on the running service, as a person makes them. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import {
  axeFindings,
  BOUNDED,
  openRig,
  type Rig,
  settled,
  shoot,
  signInLink,
  skipWithoutChromium,
  SWAP_LIMIT_MS,
  visit,
} from './browser.ts';
import { copyPicture, naturalWidth, watchToTheEnd } from './in-page.ts';
import {
  body,
  face,
  faceClip,
  faceGif,
  noFace,
  type Picked,
  skipWithoutVideo,
  smallFace,
  twoFaces,
} from './media.ts';

const EMAIL = 'person@example.com';

describe('the playground', { skip: skipWithoutChromium }, () => {
  let rig: Rig;
  let page: Page;
  before(async () => {
    rig = await openRig({ GUISE_INPUT_RETENTION_HOURS: '1' });
    await rig.service.createAccount({ email: EMAIL, plan: 'enterprise', credits: 1000 });
    page = await rig.signedIn(EMAIL);
  });
  after(() => rig?.close());

  test(
    'from the link that the first start prints to a swapped photo: at most six clicks',
    BOUNDED,
    async () => {
      const fresh = await rig.newPage();
      let clicks = 0;
      const click = async (what: Locator): Promise<void> => {
        clicks += 1;
        await what.click();
      };
      // Choosing a file in the system's own dialog is a click of its own.
      const choose = async (label: string, file: Picked): Promise<void> => {
        const dialog = fresh.waitForEvent('filechooser');
        await click(fresh.getByLabel(label));
        clicks += 1;
        await (await dialog).setFiles(file);
      };
      await fresh.goto(await signInLink(rig.service, 'owner@localhost'));
      await click(fresh.getByRole('button', { name: 'Go in' }));
      await choose('The face to use', face);
      await choose('The photo to change', body);
      await click(fresh.getByRole('button', { name: 'Swap', exact: true }));
      await done(fresh, 3);
      assert.ok(clicks <= 6, `${clicks} clicks`);
      const slider = fresh.getByRole('slider');
      await slider.focus();
      await slider.press('ArrowRight');
      assert.equal(await slider.getAttribute('aria-valuenow'), '51');
      assert.deepEqual(await axeFindings(fresh), []);
      await shoot(fresh, 'swapped');
      await fresh.context().close();
    },
  );

  test('files are dropped from the desktop and pasted from the clipboard', BOUNDED, async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'guise-drop-'));
    const file = path.join(folder, 'dropped.jpg');
    await writeFile(file, face.buffer);
    try {
      await visit(page, '/');
      await drop(page.getByLabel('The face to use'), file);
      await page.getByAltText('dropped.jpg').waitFor();
      await copyPicture(page, face.buffer);
      await page.keyboard.press('Control+V');
      await page.getByAltText('image.png').waitFor();
      // The face found in each is drawn on it.
      await page.locator('.slot .face').nth(1).waitFor();
      await swap(3);
      // One more photo of the same face makes one source with it.
      const dialog = page.waitForEvent('filechooser');
      await page.getByText('Up to 4, if you like').click();
      const quoted = page.waitForResponse((response) => response.url().endsWith('?dryRun=true'));
      await (await dialog).setFiles({ ...face, name: 'more.jpg' });
      await page.getByRole('button', { name: 'More photos of this face' }).getByText('more.jpg').waitFor();
      await quoted;
      await swap(3);
      assert.deepEqual(await axeFindings(page), []);
      await shoot(page, 'more-photos');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test(
    'faces of a group are replaced by click, drop and paste, and kept again one by one',
    BOUNDED,
    async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'guise-drop-'));
      const file = path.join(folder, 'other.jpg');
      await writeFile(file, body.buffer);
      try {
        await visit(page, '/playground/group');
        await page.getByLabel('The group photo').setInputFiles(await twoFaces());
        const chooser = page.waitForEvent('filechooser');
        await page.getByRole('button', { name: 'Face 1: unchanged' }).click();
        await (await chooser).setFiles(body);
        await page.getByRole('button', { name: 'Face 1: replaced by body.jpg' }).waitFor();
        // Each box lies on its face: the picture holds the two in its halves.
        const photo = (await page.getByAltText('The group').boundingBox())!;
        for (const [half, name] of ['Face 1', 'Face 2'].entries()) {
          const box = (await page.getByRole('button', { name: new RegExp(`^${name}:`) }).boundingBox())!;
          const centre = (box.x + box.width / 2 - photo.x) / photo.width;
          assert.ok(Math.abs(centre - (half + 0.5) / 2) < 0.1, `${name} at ${centre}`);
        }
        await page.getByText('Costs 3 credits').waitFor();
        await drop(page.getByRole('button', { name: 'Face 2: unchanged' }), file);
        await page.getByRole('button', { name: 'Face 2: replaced by other.jpg' }).waitFor();
        await page.getByText('Costs 6 credits').waitFor();
        assert.deepEqual(await axeFindings(page), []);
        await shoot(page, 'group-mapped');
        await page.getByRole('button', { name: 'Remove the replacement of face 1' }).click();
        await page.getByRole('button', { name: 'Face 1: unchanged' }).waitFor();
        await copyPicture(page, face.buffer);
        await page.getByRole('button', { name: 'Face 2: replaced by other.jpg' }).focus();
        await page.keyboard.press('Control+V');
        await page.getByRole('button', { name: 'Face 2: replaced by image.png' }).waitFor();
        await swap(3);
        await shoot(page, 'group-swapped');
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  );

  test('many photos get one face, and one photo many faces', BOUNDED, async () => {
    await visit(page, '/playground/batch');
    const [faces, photos] = [page.getByLabel(/^The face to use/), page.getByLabel(/^The photos to change/)];
    await faces.setInputFiles(face);
    await photos.setInputFiles([body, { ...face, name: 'again.jpg' }]);
    await swap(6);
    assert.equal(await page.getByRole('link', { name: /^Download/ }).count(), 2);
    await shoot(page, 'batch-swapped');
    await faces.setInputFiles([face, body]);
    await photos.setInputFiles(body);
    await swap(6);
    assert.equal(await page.getByRole('link', { name: /^Download/ }).count(), 2);
  });

  test('a GIF is swapped and plays as a GIF', BOUNDED, async () => {
    await visit(page, '/playground/gif');
    await page.getByLabel('The face to use').setInputFiles(body);
    await page.getByLabel('The GIF or clip to change').setInputFiles(await faceGif());
    await swap(6);
    await page.getByAltText('Output 1').waitFor();
    assert.equal(await naturalWidth(page, 'Output 1'), 320);
    await shoot(page, 'gif-swapped');
  });

  test('a video is swapped and watched to its end', { ...BOUNDED, skip: skipWithoutVideo }, async () => {
    await visit(page, '/playground/video');
    await page.getByLabel('The face to use').setInputFiles(body);
    await page.getByLabel('The video to change').setInputFiles(await faceClip());
    await swap(6);
    const seconds = await watchToTheEnd(page);
    assert.ok(Math.abs(seconds - 1) < 0.11, `${seconds} s`);
    await shoot(page, 'video-swapped');
  });

  test('a video can be cancelled while it runs', { ...BOUNDED, skip: skipWithoutVideo }, async () => {
    await visit(page, '/playground/video');
    await page.getByLabel('The face to use').setInputFiles(body);
    await page.getByLabel('The video to change').setInputFiles(await faceClip(45));
    await page.getByText('Costs 90 credits').waitFor();
    await page.getByRole('button', { name: 'Swap', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText(/^Cancelled/).waitFor();
  });

  test('whoever asks too often waits, is told so, and goes on by itself', BOUNDED, async () => {
    await visit(page, '/');
    const refused = new Set<string>();
    const refuseOnce = /\/api\/ai-tasks(\?dryRun=true)?$/;
    await page.route(refuseOnce, async (route) => {
      const url = route.request().url();
      if (refused.has(url)) return route.continue();
      refused.add(url);
      await route.fulfill({
        status: 429,
        json: {
          error: 'At most 10 of these requests are allowed in 60 seconds.',
          code: 'RATE_LIMITED',
          resetSeconds: 3,
        },
      });
    });
    await page.getByLabel('The face to use').setInputFiles(face);
    await page.getByLabel('The photo to change').setInputFiles(body);
    await page.getByText('This goes on by itself').waitFor();
    await page.getByText('Costs 3 credits').waitFor();
    await page.getByRole('button', { name: 'Swap', exact: true }).click();
    await page.getByText('This goes on by itself').waitFor();
    await done(page, 3);
    assert.equal(refused.size, 2);
    assert.equal(await page.getByRole('alert').count(), 0);
    await page.unroute(refuseOnce);
  });

  test('what is wrong with a file is told in the words of the page', BOUNDED, async () => {
    await visit(page, '/playground/batch');
    const text = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') };
    await page.getByLabel(/^The face to use/).setInputFiles(face);
    await page.getByLabel(/^The photos to change/).setInputFiles([body, text]);
    await page.getByText(/^Photo 2 to change must be a JPEG/).waitFor();
    await page.getByText('The cost is not known; see above.').waitFor();
    const swapButton = page.getByRole('button', { name: 'Swap', exact: true });
    assert.equal(await swapButton.isDisabled(), true, 'the task would be refused as its quote was');
    await page.getByLabel(/^The photos to change/).setInputFiles([body]);
    await page.getByText('Costs 3 credits').waitFor();
    assert.equal(await swapButton.isDisabled(), false);
    await page.getByLabel(/^The photos to change/).setInputFiles([body, body]);
    await page.getByLabel(/^The face to use/).setInputFiles([face, face]);
    await page.getByText(/^Choose one face for many photos, or one photo for many faces;/).waitFor();
    assert.equal(await swapButton.isDisabled(), true);
    await visit(page, '/playground/group');
    await page.getByLabel('The group photo').setInputFiles(await twoFaces());
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Face 2: unchanged' }).click();
    await (await chooser).setFiles(text);
    await page.getByText(/^The photo for face 2 must be a JPEG/).waitFor();
  });

  test(
    'what is wrong with a photo is said before the swap, and on the page of its task',
    BOUNDED,
    async () => {
      const buffer = await sharp(face.buffer).greyscale().png().toBuffer();
      await visit(page, '/');
      await page.getByLabel('The face to use').setInputFiles({ ...face, name: 'grey.png', buffer });
      await page.getByLabel('The photo to change').setInputFiles(body);
      const sentence = 'The face to use is black and white; a colour photo gives a better result.';
      await page.getByText(sentence).waitFor();
      await page.getByText('Costs 3 credits; the result may be weak, see above').waitFor();
      await shoot(page, 'warned');
      await page.getByRole('button', { name: 'Swap', exact: true }).click();
      await done(page, 3);
      await visit(page, '/tasks');
      await page
        .getByLabel(/^Open task/)
        .first()
        .click();
      await page.getByRole('heading', { name: 'Receipt' }).waitFor();
      await page.getByText(sentence).waitFor();
      assert.deepEqual(await axeFindings(page), []);
      await shoot(page, 'warned-task');
    },
  );

  test('a swap that is known to fail is not offered; one that may turn out weak is', BOUNDED, async () => {
    const swapButton = page.getByRole('button', { name: 'Swap', exact: true });
    const wall = await noFace();
    await visit(page, '/');
    await page.getByLabel('The face to use').setInputFiles(face);
    await page.getByLabel('The photo to change').setInputFiles(wall);
    await page.getByRole('alert').filter({ hasText: 'No face was found in the photo to change.' }).waitFor();
    await page.getByText('This swap would fail; see above.').waitFor();
    assert.equal(await swapButton.isDisabled(), true);
    await page.getByLabel('The photo to change').setInputFiles(await smallFace());
    await page.getByText('Costs 3 credits; the result may be weak, see above').waitFor();
    assert.equal(await swapButton.isDisabled(), false);
    await visit(page, '/playground/batch');
    await page.getByLabel(/^The face to use/).setInputFiles(face);
    await page.getByLabel(/^The photos to change/).setInputFiles([wall, body]);
    await page
      .getByText('No face was found in photo 1 to change. It is left out, and costs nothing')
      .waitFor();
    assert.equal(await swapButton.isDisabled(), false, 'the other one is swapped');
    await page.getByLabel(/^The photos to change/).setInputFiles([wall, wall]);
    await page.getByText('This swap would fail; see above.').waitFor();
    assert.equal(await swapButton.isDisabled(), true);
    await visit(page, '/playground/group');
    await page.getByLabel('The group photo').setInputFiles(await twoFaces());
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Face 2: unchanged' }).click();
    await (await chooser).setFiles(wall);
    await page.getByRole('alert').filter({ hasText: 'No face was found in the photo for face 2.' }).waitFor();
    assert.equal(await swapButton.isDisabled(), true);
  });

  test('without enough credits the swap is not offered, and the page says what to do', BOUNDED, async () => {
    await rig.service.createAccount({ email: 'poor@example.com', credits: 1 });
    const poor = await rig.signedIn('poor@example.com');
    await poor.getByLabel('The face to use').setInputFiles(face);
    await poor.getByLabel('The photo to change').setInputFiles(body);
    await poor.getByText('This costs 3 credits and you have 1').waitFor();
    assert.equal(await poor.getByRole('button', { name: 'Swap', exact: true }).isDisabled(), true);
    await poor.context().close();
  });

  test('a task shows its provenance and runs again, until its files are gone', BOUNDED, async () => {
    await visit(page, '/tasks');
    await page.getByLabel('Workflow').selectOption('Photo');
    await page
      .getByRole('link', { name: /^Open task/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Check the provenance' }).click();
    await page.getByText('It is marked as made by a swap.').waitFor();
    assert.deepEqual(await axeFindings(page), []);
    await shoot(page, 'task');
    const first = page.url();
    await page.getByRole('button', { name: 'Run again for 3 credits' }).click();
    await page.waitForURL((url) => url.href !== first);
    await page.getByText('completed', { exact: true }).waitFor({ timeout: SWAP_LIMIT_MS });
    await page.getByAltText('Output 1').waitFor();
    await page.route('**/account/tasks/*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), rerun: null } });
    });
    await page.reload();
    await page.getByText('Its files were deleted').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Run again' }).isDisabled(), true);
    await page.unroute('**/account/tasks/*');
  });

  test('nothing was blocked by the Content-Security-Policy, nothing asked of another host', () => {
    assert.deepEqual(rig.complaints, []);
  });

  /** Once the cost is the expected one. */
  async function swap(credits: number): Promise<void> {
    await page.getByText(`Costs ${credits} credits`).waitFor();
    await page.getByRole('button', { name: 'Swap', exact: true }).click();
    await done(page, credits);
  }
});

async function done(page: Page, credits: number): Promise<void> {
  await page.getByText(`Done for ${credits} credits`).waitFor({ timeout: SWAP_LIMIT_MS });
  await settled(page);
}

/** A file let go over the middle of something, as the browser itself reports it. */
async function drop(where: Locator, file: string): Promise<void> {
  await where.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await where.boundingBox())!;
  const session = await where.page().context().newCDPSession(where.page());
  const data = { items: [], files: [file], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: x + width / 2, y: y + height / 2, data });
  }
  await session.detach();
}
