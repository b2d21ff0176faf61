/** What the page of swaps says of swaps that cannot be made, or not well. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
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
import { body, face, noFace, smallFace, twoFaces } from './media.ts';
import { choosePhoto, done, swap } from './swap-steps.ts';

const EMAIL = 'refused@example.com';

describe('the page of swaps: what it refuses', { skip: skipWithoutChromium }, () => {
  let rig: Rig;
  let page: Page;
  before(async () => {
    rig = await openRig();
    await rig.service.createAccount({ email: EMAIL, plan: 'enterprise', credits: 1000 });
    page = await rig.signedIn(EMAIL);
  });
  after(() => rig?.close());

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
    await page.getByRole('button', { name: 'Face 1: unchanged' }).click();
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
    await page.getByRole('button', { name: 'Face 1: unchanged' }).click();
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

  test('nothing was blocked by the Content-Security-Policy, nothing asked of another host', () => {
    assert.deepEqual(rig.complaints, []);
  });
});
