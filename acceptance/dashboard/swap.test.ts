/** Swaps in a real Chromium on the running service, as a person makes them. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { fixture, skipWithoutFixtures } from '../../scripts/fixtures.ts';
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
import { copyPicture, naturalWidth, watchToTheEnd } from './in-page.ts';
import { body, face, faceClip, faceGif, noFace, skipWithoutVideo, smallFace, twoFaces } from './media.ts';
import { choosePhoto, done, swap, SWAP_LIMIT_MS } from './swap-steps.ts';

const EMAIL = 'person@example.com';

describe('the page of swaps', { skip: skipWithoutChromium }, () => {
  let rig: Rig;
  let page: Page;
  before(async () => {
    rig = await openRig({ GUISE_INPUT_RETENTION_HOURS: '1' });
    await rig.service.createAccount({ email: EMAIL, plan: 'enterprise', credits: 1000 });
    page = await rig.signedIn(EMAIL);
  });
  after(() => rig?.close());

  test(
    'from the link that the first start prints to a swap of the samples: two clicks on the page',
    BOUNDED,
    async () => {
      const fresh = await rig.newPage();
      await fresh.goto(await signInLink(rig.service, 'owner@localhost'));
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
        await page.getByText('3 credits', { exact: true }).waitFor();
        await drop(page.getByRole('button', { name: 'Face 2: unchanged' }), file);
        await page.getByRole('button', { name: 'Face 2: replaced by other.jpg' }).waitFor();
        await page.getByText('6 credits', { exact: true }).waitFor();
        assert.deepEqual(await axeFindings(page), []);
        await shoot(page, 'group-mapped');
        await page.getByRole('button', { name: 'Remove body.jpg' }).click();
        await page.getByRole('button', { name: 'Face 1: unchanged' }).waitFor();
        await copyPicture(page, face.buffer);
        await page.getByRole('button', { name: 'Face 2: replaced by other.jpg' }).focus();
        await page.keyboard.press('Control+V');
        await page.getByRole('button', { name: 'Face 2: replaced by image.png' }).waitFor();
        await swap(page, 3);
        await shoot(page, 'group-swapped');
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  );

  test(
    'files of a batch are added, moved and removed; each result is compared with its photo',
    BOUNDED,
    async () => {
      await visit(page, '/batch');
      await slot(page, 'The faces to use').setInputFiles(face);
      await slot(page, 'The photos to change').setInputFiles([body, { ...face, name: 'again.jpg' }]);
      await slot(page, 'The photos to change').setInputFiles({ ...body, name: 'third.jpg' });
      await page.getByText('9 credits', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Move third.jpg to the front' }).click();
      await page.getByRole('button', { name: 'Remove again.jpg' }).click();
      assert.deepEqual(
        await page
          .locator('section')
          .filter({ hasText: 'Photos' })
          .locator('.tile img')
          .evaluateAll((all) => all.map((each) => each.getAttribute('alt'))),
        ['body.jpg', 'third.jpg'],
      );
      await swap(page, 6);
      await page.getByRole('button', { name: 'Show output 2' }).click();
      await page.getByAltText('Before the swap').waitFor();
      await shoot(page, 'batch-swapped');
      await slot(page, 'The faces to use').setInputFiles(body);
      await page.getByText('Choose one face for many photos, or one photo for many faces').waitFor();
      await page.getByRole('button', { name: 'Remove third.jpg' }).click();
      await swap(page, 6);
    },
  );

  test('a GIF is swapped and compared as a GIF', BOUNDED, async () => {
    await visit(page, '/film');
    await slot(page, 'The face to use').setInputFiles(body);
    await slot(page, 'The video or GIF to change').setInputFiles(await faceGif());
    await swap(page, 6);
    await page.getByAltText('After the swap').waitFor();
    assert.equal(await naturalWidth(page, 'After the swap'), 320);
    await page.getByAltText('Before the swap').waitFor();
    await shoot(page, 'gif-swapped');
  });

  test(
    'a video is swapped, and played in step with its target',
    { ...BOUNDED, skip: skipWithoutVideo },
    async () => {
      await visit(page, '/film');
      await slot(page, 'The face to use').setInputFiles(body);
      await slot(page, 'The video or GIF to change').setInputFiles(await faceClip());
      await page.getByText('One person was found.').waitFor();
      await swap(page, 6);
      const seconds = await watchToTheEnd(page);
      assert.ok(Math.abs(seconds - 1) < 0.11, `${seconds} s`);
      const times = await page
        .locator('.compare video')
        .evaluateAll((all) => all.map((each) => (each as unknown as { currentTime: number }).currentTime));
      assert.equal(times.length, 2);
      assert.ok(Math.abs(times[0]! - times[1]!) < 0.2, times.join(' '));
      assert.deepEqual(await axeFindings(page), []);
      await shoot(page, 'video-swapped');
    },
  );

  test(
    'a part of a video is chosen with two handles, and the price follows',
    { ...BOUNDED, skip: skipWithoutVideo },
    async () => {
      await visit(page, '/film');
      await slot(page, 'The face to use').setInputFiles(body);
      await slot(page, 'The video or GIF to change').setInputFiles(await faceClip(10));
      await page.getByText('20 credits', { exact: true }).waitFor();
      const end = page.getByRole('slider', { name: 'End of the part' });
      await end.focus();
      for (let step = 0; step < 45; step++) await end.press('ArrowLeft');
      await page.getByText('From 0.0 s to 5.5 s').waitFor();
      await swap(page, 12);
      await page.getByText(/\/ 5\.5 s$/).waitFor();
    },
  );

  test('a video can be cancelled while it runs', { ...BOUNDED, skip: skipWithoutVideo }, async () => {
    await visit(page, '/film');
    await slot(page, 'The face to use').setInputFiles(body);
    await slot(page, 'The video or GIF to change').setInputFiles(await faceClip(45));
    await page.getByText('90 credits', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Swap', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page
      .getByText(/^Cancelled|^The result appears here/)
      .first()
      .waitFor();
  });

  test(
    'each person of a film gets a face of their own',
    { ...BOUNDED, skip: skipWithoutFixtures },
    async () => {
      await visit(page, '/film');
      const film = await readFile(fixture('video/v21_two_heads_rotating.mp4'));
      await slot(page, 'The video or GIF to change').setInputFiles({
        name: 'two.mp4',
        mimeType: 'video/mp4',
        buffer: film,
      });
      await page.getByText('2 people were found.').waitFor();
      assert.equal(await page.locator('.person img').count(), 2);
      await slot(page, 'The face for person 1').setInputFiles(face);
      await slot(page, 'The face for person 2').setInputFiles(body);
      await page.getByText('20 credits', { exact: true }).waitFor();
      // A person who is chosen is shown in the player.
      await page.getByRole('button', { name: /^Person 2 \d/ }).click();
      await page.getByRole('button', { name: 'Person 2, in the picture', pressed: true }).waitFor();
      assert.deepEqual(await axeFindings(page), []);
      await shoot(page, 'film-people');
      await swap(page, 20);
      await shoot(page, 'film-swapped');
    },
  );

  test(
    'a film that the browser cannot play has a picture of the service, with its people',
    { ...BOUNDED, skip: skipWithoutFixtures },
    async () => {
      await visit(page, '/film');
      const buffer = await readFile(fixture('video/v25_hevc10_hlg.mov'));
      const film = { name: 'hevc.mov', mimeType: 'video/quicktime', buffer };
      await slot(page, 'The video or GIF to change').setInputFiles(film);
      await page.getByText('One person was found.').waitFor();
      await page.getByAltText('The video to change, before the swap').waitFor();
      await page.getByRole('button', { name: 'Person 1, in the picture' }).waitFor();
      await shoot(page, 'film-hevc');
    },
  );

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
    await slot(page, 'The face to use').setInputFiles(face);
    await slot(page, 'The photo to change').setInputFiles(body);
    await page.getByText('This goes on by itself').waitFor();
    await page.getByText('3 credits', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Swap', exact: true }).click();
    await page.getByText('This goes on by itself').waitFor();
    await done(page, 3);
    assert.equal(refused.size, 2);
    assert.equal(await page.getByRole('alert').count(), 0);
    await page.unroute(refuseOnce);
  });

  test('what is wrong with a file is said beside it, and by the button', BOUNDED, async () => {
    await visit(page, '/batch');
    const text = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') };
    await slot(page, 'The faces to use').setInputFiles(face);
    await slot(page, 'The photos to change').setInputFiles([body, text]);
    await page
      .getByRole('alert')
      .getByText(/^This file must be a JPEG/)
      .waitFor();
    await page.locator('.tile').filter({ hasText: 'notes.txt' }).getByText('Not possible').waitFor();
    const swapButton = page.getByRole('button', { name: 'Swap', exact: true });
    assert.equal(await swapButton.isDisabled(), true, 'the task would be refused as its quote was');
    await page.getByRole('button', { name: 'Remove notes.txt' }).click();
    await page.getByText('3 credits', { exact: true }).waitFor();
    assert.equal(await swapButton.isDisabled(), false);
    await visit(page, '/group');
    await slot(page, 'The group photo').setInputFiles(await twoFaces());
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Face 2: unchanged' }).click();
    await (await chooser).setFiles(text);
    await page
      .getByRole('alert')
      .getByText(/^This file must be a JPEG/)
      .waitFor();
  });

  test('a weak photo has a chip with the reason, and so has its task', BOUNDED, async () => {
    const buffer = await sharp(face.buffer).greyscale().png().toBuffer();
    await choosePhoto(page, { ...face, name: 'grey.png', buffer }, body);
    await page.getByText('Black and white', { exact: true }).click();
    await page.getByText('This face is black and white; a colour photo gives a better result.').waitFor();
    assert.deepEqual(await axeFindings(page), []);
    await shoot(page, 'warned');
    await swap(page, 3);
    await visit(page, '/tasks');
    await page.locator('.row button').first().click();
    await page.getByRole('heading', { name: 'Receipt' }).waitFor();
    await page.getByText('is black and white; a colour photo gives a better result.').waitFor();
    assert.deepEqual(await axeFindings(page), []);
    await shoot(page, 'warned-task');
  });

  test('a swap that is known to fail is not offered; one that may turn out weak is', BOUNDED, async () => {
    const swapButton = page.getByRole('button', { name: 'Swap', exact: true });
    const wall = await noFace();
    await choosePhoto(page, face, wall);
    await page.getByRole('alert').filter({ hasText: 'No face was found in this photo.' }).waitFor();
    assert.equal(await swapButton.isDisabled(), true);
    await slot(page, 'The photo to change').setInputFiles(await smallFace());
    await page.getByText('Small face').waitFor();
    assert.equal(await swapButton.isDisabled(), false);
    await visit(page, '/batch');
    await slot(page, 'The faces to use').setInputFiles(face);
    await slot(page, 'The photos to change').setInputFiles([wall, body]);
    await page.getByText('No face', { exact: true }).click();
    await page.getByText('It is skipped and not charged.').waitFor();
    assert.equal(await swapButton.isDisabled(), false, 'the other one is swapped');
    await page.getByRole('button', { name: 'Remove body.jpg' }).click();
    await page.getByText('This swap would fail.').waitFor();
    assert.equal(await swapButton.isDisabled(), true);
    await visit(page, '/group');
    await slot(page, 'The group photo').setInputFiles(await twoFaces());
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Face 2: unchanged' }).click();
    await (await chooser).setFiles(wall);
    await page.getByRole('alert').filter({ hasText: 'No face was found in this photo.' }).waitFor();
    assert.equal(await swapButton.isDisabled(), true);
  });

  test('without enough credits the swap is not offered, and the page says what to do', BOUNDED, async () => {
    await rig.service.createAccount({ email: 'poor@example.com', credits: 1 });
    const poor = await rig.signedIn('poor@example.com');
    await choosePhoto(poor, face, body);
    await poor.getByText('This costs 3 credits and you have 1').waitFor();
    assert.equal(await poor.getByRole('button', { name: 'Swap', exact: true }).isDisabled(), true);
    await poor.context().close();
  });

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
