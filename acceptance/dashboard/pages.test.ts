/**
 * How every page looks and loads, with something on it: accessibility, narrow and wide screens,
 * size, time.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  axeFindings,
  BOUNDED,
  COLOUR_RULES,
  follow,
  openRig,
  type Rig,
  settled,
  shoot,
  skipWithoutChromium,
  slot,
  visit,
} from './browser.ts';
import { swapPhoto } from './swap-steps.ts';

const PATHS = [
  '/',
  '/batch',
  '/group',
  '/film',
  '/tasks',
  '/faces',
  '/verify',
  '/usage',
  '/developers',
  '/developers/webhooks',
  '/developers/reference',
  '/settings',
  '/admin',
  '/admin/accounts',
  '/admin/invitations',
  '/admin/blocklist',
  '/admin/failures',
  '/admin/audit-log',
];
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
  '/withdraw',
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
    rig = await openRig();
    page = await rig.signedIn();
    await swapPhoto(page);
    await visit(page, '/developers');
    await page.getByRole('textbox', { name: 'Name' }).fill('laptop');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('cell', { name: 'laptop', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Rotate laptop' }).click();
    await page.getByRole('button', { name: 'Yes, rotate laptop' }).click();
    await page.getByRole('region', { name: 'Revoked keys' }).waitFor();
  });
  after(() => rig?.close());

  test('axe-core finds nothing serious, light and dark', BOUNDED, async () => {
    const findings: string[] = [];
    const look = async (name: string): Promise<void> => {
      for (const scheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme: scheme });
        // Between the two schemes only colours differ.
        const rules = scheme === 'dark' ? COLOUR_RULES : null;
        findings.push(...(await axeFindings(page, rules)).map((text) => `${name} ${scheme} ${text}`));
        await shoot(page, `${name.replaceAll(/\W+/g, '-').replaceAll(/^-|-$/g, '') || 'photo'}-${scheme}`);
      }
    };
    await visit(page, '/');
    for (const path of PATHS) {
      await follow(page, path);
      await look(path);
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

  for (const [name, width, height] of [
    ['phone', 390, 844],
    ['narrow-phone', 320, 640],
    ['wide', 2560, 1300],
  ] as const) {
    test(`no page is wider than its screen: ${name}`, BOUNDED, async () => {
      await page.setViewportSize({ width, height });
      await visit(page, '/');
      for (const path of [...PATHS, '/sign-up']) {
        await follow(page, path);
        await shoot(page, `${path.slice(1).replace('/', '-') || 'photo'}-${name}`);
        const scrolled = await page.evaluate<number>('document.documentElement.scrollWidth');
        assert.ok(scrolled <= width, `${path} is ${scrolled} wide`);
        assert.deepEqual(await sidewaysTables(page), [], path);
      }
    });
  }

  test('on a phone the menu opens, goes to a page and is away again', BOUNDED, async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await visit(page, '/');
    await page.getByRole('button', { name: 'Open the menu' }).click();
    assert.deepEqual(await axeFindings(page), []);
    await shoot(page, 'menu-phone');
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('heading', { name: 'Usage', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Open the menu' }).waitFor();
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  test('a task is one line of the credits, with what it cost, and leads to the task', BOUNDED, async () => {
    await visit(page, '/usage');
    const lines = page.getByRole('region', { name: 'Credits', exact: true }).getByRole('row');
    await lines.filter({ hasText: 'Paid for a task' }).getByText('\u22123', { exact: true }).waitFor();
    // The head, the task, and the starting credits.
    assert.equal(await lines.count(), 3);
    await lines.getByRole('link', { name: /^Open task/ }).click();
    await page.getByText(/^Photo, 3 credits/).waitFor();
  });

  test('a word in the palette opens its page', BOUNDED, async () => {
    await visit(page, '/');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Go to').fill('webh');
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Webhooks', selected: true }).waitFor();
  });

  test('the theme is chosen in the menu, and kept', BOUNDED, async () => {
    await visit(page, '/');
    const scheme = (): Promise<string> =>
      page.evaluate<string>('document.documentElement.dataset.mantineColorScheme');
    assert.equal(await scheme(), 'light');
    await page.getByRole('button', { name: 'Theme and sign out' }).click();
    await page.getByText('Dark', { exact: true }).click();
    assert.deepEqual(await axeFindings(page), []);
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    assert.equal(await scheme(), 'dark');
    await page.getByRole('button', { name: 'Theme and sign out' }).click();
    await page.getByText('System', { exact: true }).click();
  });

  test('addresses of earlier versions lead to the pages of today', BOUNDED, async () => {
    for (const [old, now] of [
      ['/playground/gif', '/film'],
      ['/credits', '/usage'],
      ['/docs', '/developers/reference'],
      ['/operator', '/admin'],
    ] as const) {
      await visit(page, old);
      assert.equal(new URL(page.url()).pathname, now);
    }
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
    await visit(page, '/developers/reference');
    await page.getByText('or follow it through GET /api/ai-tasks/events.').waitFor();
    const read = page.locator('summary').filter({ hasText: 'Read a photo task' });
    await page.getByLabel('Search paths, fields and texts').fill('photo taskId read');
    await read.click();
    // The browser tells the page later that it opened.
    await page.waitForURL('**/developers/reference#get--api-ai-tasks');
    await page.getByText('Python', { exact: true }).click();
    await page.getByLabel('request', { exact: true }).getByText('requests.request(').waitFor();
    await page.locator('summary').filter({ hasText: 'Try it' }).click();
    await page.getByLabel('taskId').fill('0f8fad5b-d9cb-469f-a165-70867728950e');
    await page.getByRole('button', { name: 'Send it' }).click();
    await page.getByLabel('answer', { exact: true }).getByText(/^404/).waitFor();
    assert.deepEqual(await axeFindings(page), []);
    await shoot(page, 'reference-open');
    // A link to an operation opens it.
    await page.reload();
    await page.getByRole('region', { name: 'Fields of get /api/ai-tasks' }).waitFor();
    await page.getByText('v1', { exact: true }).click();
    await page.locator('summary').filter({ hasText: '/v1/image-swap' }).waitFor();
  });

  test('the first load is at most 140 kB of scripts and styles, compressed', BOUNDED, async () => {
    const fresh = await page.context().newPage();
    const session = await fresh.context().newCDPSession(fresh);
    await session.send('Network.enable');
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    const urls = new Map<string, string>();
    let bytes = 0;
    session.on('Network.responseReceived', ({ requestId, response }) => urls.set(requestId, response.url));
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (/\.(js|css)$/.test(urls.get(requestId) ?? '')) bytes += encodedDataLength;
    });
    await fresh.goto('/');
    await slot(fresh, 'The photo to change').waitFor({ state: 'attached' });
    await settled(fresh);
    assert.ok(bytes > 50_000 && bytes <= 140_000, `${bytes} bytes`);
    await fresh.close();
  });

  test('nothing was blocked by the Content-Security-Policy, nothing asked of another host', () => {
    assert.deepEqual(rig.complaints, []);
  });
});
