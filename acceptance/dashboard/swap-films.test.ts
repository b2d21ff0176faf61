/** Batches, GIFs and films on the page of swaps, in a real Chromium on the running service. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { fixture, skipWithoutFixtures } from '../../scripts/fixtures.ts';
import {
  axeFindings,
  BOUNDED,
  openRig,
  type Rig,
  shoot,
  skipWithoutChromium,
  slot,
  visit,
} from './browser.ts';
import { naturalWidth, watchToTheEnd } from './in-page.ts';
import { body, face, faceClip, faceGif, pairClip, skipWithoutVideo } from './media.ts';
import { swap } from './swap-steps.ts';

const EMAIL = 'films@example.com';

describe('the page of swaps: batches, GIFs and films', { skip: skipWithoutChromium }, () => {
  let rig: Rig;
  let page: Page;
  before(async () => {
    rig = await openRig();
    await rig.service.createAccount({ email: EMAIL, plan: 'enterprise', credits: 1000 });
    page = await rig.signedIn(EMAIL);
  });
  after(() => rig?.close());

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
      await slot(page, 'The video or GIF to change').setInputFiles(await faceClip(4));
      await page.getByText('8 credits', { exact: true }).waitFor();
      const end = page.getByRole('slider', { name: 'End of the part' });
      await end.focus();
      for (let step = 0; step < 15; step++) await end.press('ArrowLeft');
      await page.getByText('From 0.0 s to 2.5 s').waitFor();
      await swap(page, 6);
      await page.getByText(/\/ 2\.5 s$/).waitFor();
    },
  );

  test('a video can be cancelled while it runs', { ...BOUNDED, skip: skipWithoutVideo }, async () => {
    await visit(page, '/film');
    await slot(page, 'The face to use').setInputFiles(body);
    await slot(page, 'The video or GIF to change').setInputFiles(await faceClip(20));
    await page.getByText('40 credits', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Swap', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page
      .getByText(/^Cancelled|^The result appears here/)
      .first()
      .waitFor();
  });

  test('each person of a film gets a face of their own', { ...BOUNDED, skip: skipWithoutVideo }, async () => {
    await visit(page, '/film');
    await slot(page, 'The video or GIF to change').setInputFiles(await pairClip());
    await page.getByText('2 people were found.').waitFor();
    // On a very busy machine, the search may end before there are pictures.
    const isComplete = (await page.getByText('The search ended early').count()) === 0;
    if (isComplete) assert.equal(await page.locator('.person img').count(), 2);
    await slot(page, 'The face for person 0').setInputFiles(face);
    await slot(page, 'The face for person 1').setInputFiles(body);
    await page.getByText('12 credits', { exact: true }).waitFor();
    // A person who is chosen is shown in the player.
    await page.getByRole('button', { name: /^Person 1 \d/ }).click();
    await page.getByRole('button', { name: 'Person 1, in the picture', pressed: true }).waitFor();
    assert.deepEqual(await axeFindings(page), []);
    await shoot(page, 'film-people');
    await swap(page, 12);
    await shoot(page, 'film-swapped');
  });

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
      await page.getByRole('button', { name: 'Person 0, in the picture' }).waitFor();
      await shoot(page, 'film-hevc');
    },
  );

  test('nothing was blocked by the Content-Security-Policy, nothing asked of another host', () => {
    assert.deepEqual(rig.complaints, []);
  });
});
