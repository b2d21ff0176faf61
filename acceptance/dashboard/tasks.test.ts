/** The list of tasks and the drawer of one, in a real Chromium on the running service. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { axeFindings, BOUNDED, openRig, type Rig, shoot, skipWithoutChromium, visit } from './browser.ts';
import { body, face, noFace } from './media.ts';
import { SWAP_LIMIT_MS, swapPhoto } from './swap-steps.ts';

const EMAIL = 'tasks@example.com';

describe('the list of tasks', { skip: skipWithoutChromium }, () => {
  let rig: Rig;
  let page: Page;
  before(async () => {
    rig = await openRig();
    await rig.service.createAccount({ email: EMAIL });
    page = await rig.signedIn(EMAIL);
    await swapPhoto(page, body);
    await swapPhoto(page, { ...face, name: 'portrait.jpg' });
  });
  after(() => rig?.close());

  test('rows have the name of the file, and a click opens the task beside the list', BOUNDED, async () => {
    await visit(page, '/tasks');
    const rows = page.locator('.row button');
    assert.equal(await rows.count(), 2);
    await rows.filter({ hasText: 'portrait.jpg' }).getByText('completed').waitFor();
    await shoot(page, 'tasks');
    await rows.filter({ hasText: 'body.jpg' }).click();
    const drawer = page.getByRole('dialog', { name: 'Task' });
    await drawer.getByText(/^Photo, 3 credits/).waitFor();
    assert.match(new URL(page.url()).pathname, /^\/tasks\/[0-9a-f-]{36}$/);
    assert.deepEqual(await axeFindings(page), []);
    await shoot(page, 'task');
    await drawer.getByRole('button', { name: 'Close' }).click();
    await drawer.waitFor({ state: 'detached' });
    assert.equal(new URL(page.url()).pathname, '/tasks');
  });

  test('filters are in the address, so that a reload keeps them', BOUNDED, async () => {
    await visit(page, '/tasks');
    await page.getByLabel('Status').selectOption('Failed');
    await page.getByText('No task here.').waitFor();
    assert.equal(new URL(page.url()).search, '?status=FAILED');
    await page.reload();
    await page.getByText('No task here.').waitFor();
    await page.getByLabel('Status').selectOption('All');
    await page.getByText('portrait.jpg').waitFor();
  });

  test('a task that another program makes appears by itself, and its end too', BOUNDED, async () => {
    await visit(page, '/tasks');
    const { apiKey } = await rig.service.createAccount({ email: 'other@example.com', credits: 3 });
    const other = await rig.signedIn('other@example.com');
    await visit(other, '/tasks');
    await other.getByText('No task here.').waitFor();
    const form = new FormData();
    for (const [name, file] of [
      ['sourceImage', face],
      ['targetImage', { ...body, name: 'by-program.jpg' }],
    ] as const)
      form.set(name, new File([new Uint8Array(file.buffer)], file.name, { type: file.mimeType }));
    const created = await fetch(`${rig.service.url}/api/ai-tasks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}` },
      body: form,
    });
    assert.equal(created.status, 200);
    const row = other.locator('.row button').filter({ hasText: 'by-program.jpg' });
    await row.getByText('completed').waitFor({ timeout: SWAP_LIMIT_MS });
    await other.context().close();
  });

  test('a failed task says why in its row, and looks unlike a deleted one', BOUNDED, async () => {
    const { apiKey } = await rig.service.createAccount({ email: 'faceless@example.com', credits: 3 });
    const other = await rig.signedIn('faceless@example.com');
    const wall = await noFace();
    const form = new FormData();
    form.set('sourceImage', new File([new Uint8Array(face.buffer)], 'face.jpg', { type: 'image/jpeg' }));
    form.set('targetImage', new File([new Uint8Array(wall.buffer)], 'wall.png', { type: 'image/png' }));
    await fetch(`${rig.service.url}/api/ai-tasks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}` },
      body: form,
    });
    await visit(other, '/tasks');
    const row = other.locator('.row button').filter({ hasText: 'wall.png' });
    await row.getByText('failed', { exact: true }).waitFor({ timeout: SWAP_LIMIT_MS });
    await row.getByText(/No face was found/).waitFor();
    assert.equal(await row.locator('[data-status=FAILED]').count(), 1);
    await other.context().close();
  });

  test('several tasks are downloaded as one ZIP', BOUNDED, async () => {
    await visit(page, '/tasks');
    for (const name of ['portrait.jpg', 'body.jpg']) await page.getByLabel(`Choose ${name}`).check();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download 2 as ZIP' }).click();
    const zip = await readFile(await (await saved).path());
    const names = [...zip.toString('latin1').matchAll(/[\w.-]+-[0-9a-f]{8}-1\.jpeg/g)].map(([name]) =>
      name.replace(/-[0-9a-f]{8}-/, '-'),
    );
    // Each name is in the file's own header and in the directory at the end.
    assert.deepEqual([...new Set(names)].toSorted(), ['body-1.jpeg', 'portrait-1.jpeg']);
  });

  test('a task shows its provenance and runs again, until its files are gone', BOUNDED, async () => {
    await visit(page, '/tasks?type=IMAGE_SWAP');
    await page.locator('.row button').first().click();
    await page.getByRole('button', { name: 'Check the provenance' }).click();
    await page.getByText('It is marked as made by a swap.').waitFor();
    assert.deepEqual(await axeFindings(page), []);
    const first = page.url();
    await page.getByRole('button', { name: 'Run again for 3 credits' }).click();
    await page.waitForURL((url) => url.href !== first);
    const drawer = page.getByRole('dialog', { name: 'Task' });
    await drawer.getByText('completed', { exact: true }).waitFor({ timeout: SWAP_LIMIT_MS });
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

  test('the files of several tasks are deleted on the second click', BOUNDED, async () => {
    await visit(page, '/tasks');
    await page.getByLabel('Choose portrait.jpg').first().check();
    await page.getByRole('button', { name: /^Delete the files/ }).click();
    await page.getByRole('button', { name: /^Yes, delete/ }).click();
    await page.locator('.row button').getByText('deleted', { exact: true }).waitFor();
  });

  test('nothing was blocked by the Content-Security-Policy, nothing asked of another host', () => {
    assert.deepEqual(rig.complaints, []);
  });
});
