/**
 * How every page looks and loads, with something on it: accessibility, narrow and wide screens,
 * size, time.
 */
import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  axeFindings,
  BOUNDED,
  openRig,
  type Rig,
  settled,
  shoot,
  skipWithoutChromium,
  SWAP_LIMIT_MS,
  visit,
} from './browser.ts';
import { body, face } from './media.ts';

const PATHS = [
  '/',
  '/playground/batch',
  '/playground/group',
  '/playground/video',
  '/playground/gif',
  '/tasks',
  '/credits',
  '/keys',
  '/you',
  '/docs',
  '/operator',
];
const TABS = ['Accounts', 'Invitations', 'Failures', 'Audit log'];
const DOORS = [
  '/sign-in',
  '/sign-up',
  '/forgot-password',
  '/verify-email',
  '/verify-email#token=x',
  '/confirm-email#token=x',
  '/reset-password',
  '/reset-password#token=x',
  '/sign-in/link',
  '/sign-in/link#token=x',
];

/** Tables with something out of sight to the right: the last column has the buttons. */
function sidewaysTables(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(
    `[...document.querySelectorAll('.wide')].filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.ariaLabel)`,
  );
}

describe('every page', { skip: skipWithoutChromium }, () => {
  let rig: Rig;
  let page: Page;
  before(async () => {
    rig = await openRig({ GUISE_SIGN_UP: 'open' });
    page = await rig.signedIn();
    await page.getByLabel('The face to use').setInputFiles(face);
    await page.getByLabel('The photo to change').setInputFiles(body);
    await page.getByRole('button', { name: 'Swap', exact: true }).click({ timeout: SWAP_LIMIT_MS });
    await page.getByText('Done for 3 credits').waitFor({ timeout: SWAP_LIMIT_MS });
    await visit(page, '/keys');
    await page.getByRole('textbox', { name: 'Name' }).fill('laptop');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('cell', { name: 'laptop', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Rotate laptop' }).click();
    await page.getByRole('button', { name: 'Yes, rotate laptop' }).click();
    await page.getByRole('region', { name: 'Revoked keys' }).waitFor();
  });
  after(() => rig?.close());

  for (const scheme of ['light', 'dark'] as const) {
    test(`axe-core finds nothing serious, ${scheme}`, BOUNDED, async () => {
      await page.emulateMedia({ colorScheme: scheme });
      const findings: string[] = [];
      // Between the two schemes only colours differ.
      const rules = scheme === 'dark' ? ['color-contrast'] : null;
      const look = async (name: string): Promise<void> => {
        findings.push(...(await axeFindings(page, rules)).map((text) => `${name} ${text}`));
        await shoot(page, `${name.replaceAll(/\W+/g, '-').replaceAll(/^-|-$/g, '') || 'photo'}-${scheme}`);
      };
      for (const path of PATHS) {
        await visit(page, path);
        await look(path);
      }
      for (const name of TABS) {
        await page.getByRole('tab', { name }).click();
        await settled(page);
        await look(`operator ${name}`);
      }
      for (const path of DOORS) {
        // From elsewhere: another fragment of the same page loads nothing.
        await page.goto('about:blank');
        await page.goto(path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await look(path);
      }
      await page.goto('/nothing-here');
      await page.getByText('The address may be mistyped').waitFor();
      await look('/nothing-here');
      assert.deepEqual(findings, []);
    });
  }

  for (const [name, width, height] of [
    ['phone', 390, 844],
    ['narrow-phone', 320, 640],
    ['wide', 2560, 1300],
  ] as const) {
    test(`no page is wider than its screen: ${name}`, BOUNDED, async () => {
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize({ width, height });
      for (const path of [...PATHS, '/sign-up']) {
        await page.goto(path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await settled(page);
        await shoot(page, `${path.slice(1).replace('/', '-') || 'photo'}-${name}`);
        const scrolled = await page.evaluate<number>('document.documentElement.scrollWidth');
        assert.ok(scrolled <= width, `${path} is ${scrolled} wide`);
        assert.deepEqual(await sidewaysTables(page), [], path);
        // The header stands still, so it makes nothing scroll; it must not be cut either.
        const signOut = page.getByRole('button', { name: 'Sign out' });
        if ((await signOut.count()) === 0) continue;
        const { x, width: own } = (await signOut.boundingBox())!;
        assert.ok(x + own <= width, `${path}: the header is cut`);
      }
      await visit(page, '/operator');
      for (const tab of TABS) {
        await page.getByRole('tab', { name: tab }).click();
        await settled(page);
        assert.deepEqual(await sidewaysTables(page), [], tab);
      }
    });
  }

  test('on a phone the menu opens, goes to a page and is away again', BOUNDED, async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await visit(page, '/');
    await page.getByRole('button', { name: 'Open the menu' }).click();
    assert.deepEqual(await axeFindings(page), []);
    await shoot(page, 'menu-phone');
    await page.getByRole('link', { name: 'Credits and usage' }).click();
    await page.getByRole('heading', { name: 'Credits and usage' }).waitFor();
    await page.getByRole('button', { name: 'Open the menu' }).waitFor();
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  test('a movement of credits leads to the task it was for', BOUNDED, async () => {
    await visit(page, '/credits');
    await page
      .getByRole('row', { name: /capture/ })
      .getByRole('link', { name: /^Open task/ })
      .click();
    await page.getByText('Photo, 3 credits').waitFor();
  });

  test('a page that could not be loaded says so, and is there after another try', BOUNDED, async () => {
    await visit(page, '/');
    await page.route('**/account/tasks?*', (route) => route.abort());
    await page.getByRole('link', { name: 'Tasks' }).click();
    await page.getByText('The service cannot be reached.').waitFor();
    // A screen reader goes on at the page that was opened.
    assert.equal(await page.evaluate<string>('document.activeElement.textContent'), 'Tasks');
    assert.deepEqual(await axeFindings(page), []);
    await shoot(page, 'unreachable');
    await page.unroute('**/account/tasks?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('region', { name: 'Tasks' }).waitFor();
  });

  test('the reference sends an operation for the reader, without a key of theirs', BOUNDED, async () => {
    await visit(page, '/docs');
    await page.getByText('or follow it through GET /api/ai-tasks/events.').waitFor();
    await page.getByRole('button', { name: /^GET \/api\/ai-tasks Read/ }).click();
    await page.getByLabel('taskId').fill('0f8fad5b-d9cb-469f-a165-70867728950e');
    await page.getByRole('button', { name: 'Send it' }).click();
    await page.getByLabel('answer', { exact: true }).getByText(/^404/).waitFor();
    assert.deepEqual(await axeFindings(page), []);
    await shoot(page, 'docs-open');
    await page.getByText('v1', { exact: true }).click();
    await page.getByRole('button', { name: /^POST \/v1\/image-swap/ }).waitFor();
  });

  test('the first load is at most 250 kB of compressed JavaScript and CSS', BOUNDED, async () => {
    const fresh = await page.context().newPage();
    const bodies: Promise<Buffer>[] = [];
    fresh.on('response', (response) => {
      if (/\.(js|css)$/.test(new URL(response.url()).pathname)) bodies.push(response.body());
    });
    await fresh.goto('/');
    await fresh.getByText('The photo to change').waitFor();
    const bytes = (await Promise.all(bodies)).reduce((sum, each) => sum + gzipSync(each).length, 0);
    assert.ok(bodies.length > 2);
    assert.ok(bytes <= 250_000, `${bytes} bytes`);
    await fresh.close();
  });

  test('nothing was blocked by the Content-Security-Policy, nothing asked of another host', () => {
    assert.deepEqual(rig.complaints, []);
  });
});
