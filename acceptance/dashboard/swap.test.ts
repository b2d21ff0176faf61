/** Swaps in a real Chromium on the running service, as a person makes them. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import {
  axeFindings,
  BOUNDED,
  openRig,
  type Rig,
  shoot,
  signInLink,
  skipWithoutChromium,
  slot,
  visit,
} from './browser.ts';
import { copyPicture } from './in-page.ts';
import { body, face, twoFaces } from './media.ts';
import { choosePhoto, done, swap, SWAP_LIMIT_MS } from './swap-steps.ts';

const EMAIL = 'person@example.com';

describe('the page of swaps', { skip: skipWithoutChromium }, () => {
  let rig: Rig;
  let page: Page;
  before(async () => {
    rig = await openRig();
    await rig.service.createAccount({ email: EMAIL, plan: 'enterprise', credits: 1000 });
    page = await rig.signedIn(EMAIL);
  });
  after(() => rig?.close());

  test(
    'from a link as the first start prints it to a swap of the samples: two clicks on the page',
    BOUNDED,
    async () => {
      await rig.service.createAccount({ email: 'first@example.com' });
      const fresh = await rig.newPage();
      await fresh.goto(await signInLink(rig.service, 'first@example.com'));
      await fresh.getByRole('button', { name: 'Go in' }).click();
      await fresh.getByRole('button', { name: 'Use the samples' }).click();
      await fresh.getByRole('button', { name: 'Swap', exact: true }).click();
      await done(fresh, 3);
      // The result is in sight, and so is what can be done with it.
      const download = (await fresh.getByRole('link', { name: /^Download/ }).boundingBox())!;
      assert.ok(download.y + download.height <= fresh.viewportSize()!.height);
      assert.deepEqual(await axeFindings(fresh), []);
      await shoot(fresh, 'swapped');
      await fresh.context().close();
    },
  );

  test(
    'the border between before and after is dragged on the picture, or moved by keys',
    BOUNDED,
    async () => {
      await choosePhoto(page, face, body);
      await swap(page, 3);
      const slider = page.getByRole('slider', { name: /position of the slider/ });
      // It begins at the edge of the face, where there is something to compare.
      const begin = Number(await slider.getAttribute('aria-valuenow'));
      assert.ok(begin > 10 && begin < 50, `${begin}`);
      await slider.focus();
      await slider.press('ArrowRight');
      assert.equal(Number(await slider.getAttribute('aria-valuenow')), begin + 1);
      const picture = (await page.getByAltText('After the swap').boundingBox())!;
      await page.mouse.move(picture.x + 0.7 * picture.width, picture.y + 0.3 * picture.height);
      await page.mouse.down();
      await page.mouse.move(picture.x + 0.8 * picture.width, picture.y + 0.3 * picture.height, { steps: 4 });
      await page.mouse.up();
      assert.ok(Math.abs(Number(await slider.getAttribute('aria-valuenow')) - 80) < 3);
    },
  );

  test('files are dropped from the desktop and pasted from the clipboard', BOUNDED, async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'guise-drop-'));
    const file = path.join(folder, 'dropped.jpg');
    await writeFile(file, face.buffer);
    try {
      await visit(page, '/');
      await drop(page.locator('.tile[data-size=medium]'), file);
      await page.getByAltText('dropped.jpg').waitFor();
      await copyPicture(page, face.buffer);
      await page.keyboard.press('Control+V');
      await page.getByAltText('image.png').waitFor();
      // The face that was found in the photo is drawn on it.
      await page.locator('.tile[data-size=large] .face').waitFor();
      await swap(page, 3);
      // One more photo of the same face makes one source with it.
      const quoted = page.waitForResponse((response) => response.url().endsWith('?dryRun=true'));
      await slot(page, 'The face to use').setInputFiles({ ...face, name: 'more.jpg' });
      await page.getByAltText('more.jpg').waitFor();
      await quoted;
      await swap(page, 3);
      assert.deepEqual(await axeFindings(page), []);
      await shoot(page, 'more-photos');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test(
    'a swap goes on while its page is left, and is there on return, also after a reload',
    BOUNDED,
    async () => {
      await choosePhoto(page, face, body);
      await page.getByText('3 credits', { exact: true }).waitFor();
      const polls: string[] = [];
      page.on('request', (request) => {
        if (request.url().includes('taskId=')) polls.push(request.url());
      });
      await page.getByRole('button', { name: 'Swap', exact: true }).click();
      await page.getByRole('link', { name: 'Usage' }).click();
      await page.getByRole('heading', { name: 'Usage', exact: true }).waitFor();
      await page.getByText('The swap is done').waitFor({ timeout: SWAP_LIMIT_MS });
      await page.getByRole('link', { name: 'Swap', exact: true }).click();
      await done(page, 3);
      // The files are still chosen, and compared with.
      await page.getByAltText('Before the swap').waitFor();
      await page.getByAltText('face.jpg').waitFor();
      assert.deepEqual(polls, [], 'the stream of events tells of tasks');
      await page.reload();
      await page
        .getByRole('button', { name: /^Show body.jpg, completed/ })
        .first()
        .click();
      await done(page, 3);
      await page.getByAltText('Output 1').waitFor();
    },
  );

  test('switching between photo, batch and film keeps the face', BOUNDED, async () => {
    await visit(page, '/');
    await slot(page, 'The face to use').setInputFiles(face);
    for (const kind of ['Batch', 'Film', 'Photo']) {
      await page.getByText(kind, { exact: true }).click();
      await page.getByAltText('face.jpg').waitFor();
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
        await visit(page, '/group');
        await slot(page, 'The group photo').setInputFiles(await twoFaces());
        const chooser = page.waitForEvent('filechooser');
        await page.getByRole('button', { name: 'Face 0: unchanged' }).click();
        await (await chooser).setFiles(body);
        await page.getByRole('button', { name: 'Face 0: replaced by body.jpg' }).waitFor();
        // Each box lies on its face: the picture holds the two in its halves.
        const photo = (await page.getByAltText('The group').boundingBox())!;
        for (const [half, name] of ['Face 0', 'Face 1'].entries()) {
          const box = (await page.getByRole('button', { name: new RegExp(`^${name}:`) }).boundingBox())!;
          const centre = (box.x + box.width / 2 - photo.x) / photo.width;
          assert.ok(Math.abs(centre - (half + 0.5) / 2) < 0.1, `${name} at ${centre}`);
        }
        await page.getByText('3 credits', { exact: true }).waitFor();
        await drop(page.getByRole('button', { name: 'Face 1: unchanged' }), file);
        await page.getByRole('button', { name: 'Face 1: replaced by other.jpg' }).waitFor();
        await page.getByText('6 credits', { exact: true }).waitFor();
        assert.deepEqual(await axeFindings(page), []);
        await shoot(page, 'group-mapped');
        await page.getByRole('button', { name: 'Remove body.jpg' }).click();
        await page.getByRole('button', { name: 'Face 0: unchanged' }).waitFor();
        await copyPicture(page, face.buffer);
        await page.getByRole('button', { name: 'Face 1: replaced by other.jpg' }).focus();
        await page.keyboard.press('Control+V');
        await page.getByRole('button', { name: 'Face 1: replaced by image.png' }).waitFor();
        await swap(page, 3);
        await shoot(page, 'group-swapped');
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  );

  test(
    'on a phone the Swap button is in the first sight, and the result comes over the page',
    BOUNDED,
    async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      await choosePhoto(page, face, body);
      await page.getByText('3 credits', { exact: true }).waitFor();
      const button = page.getByRole('button', { name: 'Swap', exact: true });
      const box = (await button.boundingBox())!;
      assert.ok(box.y + box.height <= 844, `${box.y}`);
      await button.click();
      await page
        .getByRole('dialog', { name: 'Result' })
        .getByText('Done for 3 credits')
        .waitFor({ timeout: SWAP_LIMIT_MS });
      assert.deepEqual(await axeFindings(page), []);
      await shoot(page, 'phone-result');
      await page.setViewportSize({ width: 1280, height: 720 });
    },
  );

  test('a result becomes the next target, and is deleted', BOUNDED, async () => {
    await choosePhoto(page, face, body);
    await swap(page, 3);
    await page.getByRole('button', { name: 'Use as target' }).click();
    await page.getByAltText('swap-1.jpeg').waitFor();
    await page.getByRole('button', { name: 'Delete the result' }).click();
    await page.getByRole('button', { name: 'Yes, delete the result' }).click();
    await page.getByText(/^Output 1: Deleted on/).waitFor();
  });

  test('nothing was blocked by the Content-Security-Policy, nothing asked of another host', () => {
    assert.deepEqual(rig.complaints, []);
  });
});

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
