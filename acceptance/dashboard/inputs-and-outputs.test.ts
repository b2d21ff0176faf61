/**
 * What the pages show of a swap's files: before it, and once others took their place or they went.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
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
import { naturalWidth } from './in-page.ts';
import { body, face, type Picked } from './media.ts';
import { swap, swapPhoto } from './swap-steps.ts';

const NOON = '2026-08-15T12:00:00.000Z';
const ONE_TASK = '**/account/tasks/*';
const TASK_LIST = '**/account/tasks?*';
/** A HEIC as far as a browser looks: no test of it is ever swapped. */
const heic = (name: string): Picked => ({ name, mimeType: 'image/heic', buffer: Buffer.from('ftypheic') });

interface Output {
  url?: string;
  expiresAt?: string;
}

/** An output as the service tells of it once it was deleted. */
function gone({ url: _url, expiresAt: _end, ...rest }: Output) {
  return { ...rest, deletedAt: NOON };
}

const EMAIL = 'files@example.com';

describe('files of a swap', { skip: skipWithoutChromium }, () => {
  let rig: Rig;
  let page: Page;
  before(async () => {
    rig = await openRig();
    await rig.service.createAccount({ email: EMAIL });
    page = await rig.signedIn(EMAIL);
  });
  after(() => rig?.close());

  test(
    'a result is compared with the target it was made from, whatever is chosen since',
    BOUNDED,
    async () => {
      await swapPhoto(page);
      await page.getByAltText('Before the swap').waitFor();
      const width = await naturalWidth(page, 'Before the swap');
      const buffer = await sharp(body.buffer)
        .resize(width - 100)
        .png()
        .toBuffer();
      await slot(page, 'The photo to change').setInputFiles({ ...body, name: 'other.png', buffer });
      await page.getByAltText('other.png').waitFor();
      await page.getByText('3 credits', { exact: true }).waitFor();
      assert.equal(await naturalWidth(page, 'Before the swap'), width);
      await shoot(page, 'another-target');
      await swap(page, 3);
      assert.equal(await naturalWidth(page, 'Before the swap'), width - 100);
    },
  );

  test(
    'a damaged HEIC has a sentence for a preview, and the next file in its place a picture',
    BOUNDED,
    async () => {
      await visit(page, '/');
      await slot(page, 'The photo to change').setInputFiles(heic('one.heic'));
      await page.getByText('one.heic has no preview in this browser.').waitFor();
      await shoot(page, 'heic');
      await slot(page, 'The photo to change').setInputFiles(face);
      await page.getByAltText('face.jpg').waitFor();
      await slot(page, 'The photo to change').setInputFiles(heic('two.heic'));
      await page.getByText('two.heic has no preview').waitFor();
      await visit(page, '/batch');
      await slot(page, 'The photos to change').setInputFiles([heic('same.heic'), face]);
      await page.getByText('same.heic has no preview').waitFor();
      await slot(page, 'The photos to change, number 1').setInputFiles({ ...face, name: 'same.heic' });
      await page.getByAltText('same.heic').waitFor();
      await visit(page, '/group');
      await slot(page, 'The group photo').setInputFiles(heic('group.heic'));
      await page.getByText('group.heic has no preview in this browser.').waitFor();
      await page.getByAltText('The group').waitFor({ state: 'detached' });
    },
  );

  test(
    'a HEIC is shown by a preview of the service, and compared with its result',
    { ...BOUNDED, skip: skipWithoutFixtures },
    async () => {
      const buffer = await readFile(fixture('odd/torres.heic'));
      await swapPhoto(page, { ...heic('real.heic'), buffer });
      await page.getByAltText('real.heic').waitFor();
      await page.getByAltText('After the swap').waitFor();
      assert.ok((await naturalWidth(page, 'Before the swap')) > 100);
      await page.getByRole('slider').waitFor();
      await shoot(page, 'heic-swapped');
    },
  );

  test('deleted outputs are told of with their time, and not offered', BOUNDED, async () => {
    await answering(ONE_TASK, (task) => ({ ...task, outputs: task.outputs.map(gone) }));
    await answering(TASK_LIST, ({ tasks, ...rest }) => ({
      ...rest,
      tasks: tasks.map((task: { preview: Output | null }) => ({
        ...task,
        preview: task.preview && gone(task.preview),
      })),
    }));
    await swapPhoto(page);
    await page.getByText('Deleted on Aug 15, 2026').waitFor();
    await nothingIsOffered();
    await shoot(page, 'deleted-in-playground');
    await visit(page, '/tasks');
    await page.getByText('deleted', { exact: true }).first().waitFor();
    assert.equal(await page.locator('main img, main video').count(), 0);
    assert.deepEqual(await axeFindings(page), []);
    await shoot(page, 'deleted-in-tasks');
    await page.locator('.row button').first().click();
    await page.getByText(/^Output 1: Deleted on Aug 15, 2026/).waitFor();
    await nothingIsOffered();
    await shoot(page, 'deleted-task');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test('outputs say when their links ended, also while they are shown', BOUNDED, async () => {
    let end = NOON;
    const ended = (output: Output) => ({ ...output, expiresAt: end });
    await answering(ONE_TASK, (task) => ({ ...task, outputs: task.outputs.map(ended) }));
    await visit(page, '/tasks');
    await page.locator('.row button').first().click();
    await page.getByText(/^Output 1: Expired on Aug 15, 2026/).waitFor();
    await nothingIsOffered();
    end = new Date(Date.now() + 8000).toISOString();
    await visit(page, '/');
    await page
      .getByRole('button', { name: /^Show body.jpg/ })
      .first()
      .click();
    await page.getByRole('link', { name: /^Download/ }).waitFor();
    await page.getByText('Expired on').waitFor();
    await nothingIsOffered();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test('nothing was blocked by the Content-Security-Policy, nothing asked of another host', () => {
    assert.deepEqual(rig.complaints, []);
  });

  // oxlint-disable-next-line typescript/no-explicit-any
  async function answering(what: string | RegExp, change: (body: any) => object): Promise<void> {
    await page.route(what, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: change(await response.json()) });
    });
  }

  async function nothingIsOffered(): Promise<void> {
    assert.equal(await page.getByRole('link', { name: /^Download/ }).count(), 0);
    assert.equal(await page.getByRole('button', { name: 'Check the provenance' }).count(), 0);
    assert.equal(await page.locator('.shown, .compare').count(), 0);
  }
});
