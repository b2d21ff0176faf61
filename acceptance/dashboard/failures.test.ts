/** What a person sees of a page of which a part fails: never an empty one. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { axeFindings, BOUNDED, openRig, type Rig, shoot, skipWithoutChromium, visit } from './browser.ts';

/** The file of the page of usage, which is loaded when it is opened. */
const USAGE_FILE = /\/assets\/usage-[^/-]+\.js$/;
const UNSHOWN = { name: 'This page cannot be shown' };

const EMAIL = 'failures@example.com';

describe('a page of which a part fails', { skip: skipWithoutChromium }, () => {
  let rig: Rig;
  let page: Page;
  before(async () => {
    rig = await openRig();
    await rig.service.createAccount({ email: EMAIL });
    page = await rig.signedIn(EMAIL);
  });
  after(() => rig?.close());

  test('a part that is gone after an upgrade is there after one load of the app', BOUNDED, async () => {
    await visit(page, '/');
    await page.route(USAGE_FILE, (route) => route.fulfill({ status: 404 }), { times: 1 });
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('heading', { name: 'Usage' }).waitFor();
  });

  test(
    'a part that stays away is told of after one more try, and there once it is back',
    BOUNDED,
    async () => {
      await visit(page, '/');
      let loads = 0;
      page.on('load', () => {
        loads += 1;
      });
      await page.route(USAGE_FILE, (route) => route.abort());
      await page.getByRole('link', { name: 'Usage' }).click();
      await page.getByRole('heading', UNSHOWN).waitFor();
      await page.getByText('A part of the page could not be loaded').waitFor();
      assert.equal(loads, 1);
      assert.deepEqual(await axeFindings(page), []);
      await shoot(page, 'part-away');
      await page.getByRole('link', { name: 'Tasks' }).click();
      await page.getByRole('heading', { name: 'Tasks' }).waitFor();
      await page.goBack();
      await page.getByRole('heading', UNSHOWN).waitFor();
      await page.unroute(USAGE_FILE);
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('heading', { name: 'Usage' }).waitFor();
    },
  );

  test(
    'a service that is away does not put the page of the browser in the place of the app',
    BOUNDED,
    async () => {
      await visit(page, '/');
      // The file of a page that was not opened before: the browser keeps the others.
      await page.context().setOffline(true);
      await page.getByRole('link', { name: 'Developers' }).click();
      await page.getByRole('heading', UNSHOWN).waitFor();
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('heading', UNSHOWN).waitFor();
      await page.context().setOffline(false);
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('heading', { name: 'Developers' }).waitFor();
    },
  );

  test('a fault of a page is told, and the other pages work', BOUNDED, async () => {
    await visit(page, '/');
    await page.route('**/account/tasks?*', (route) => route.fulfill({ json: {} }));
    await page.getByRole('link', { name: 'Tasks' }).click();
    await page.getByRole('heading', UNSHOWN).waitFor();
    await page.getByText('The page has a fault').waitFor();
    await shoot(page, 'page-fault');
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Tasks' }).click();
    await page.getByRole('heading', UNSHOWN).waitFor();
    await page.unroute('**/account/tasks?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No task here.').waitFor();
  });
});
