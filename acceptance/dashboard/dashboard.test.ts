/** The dashboard in a real Chromium on the running service: what a person does, and what axe-core finds on every page. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { fixture } from '../../scripts/fixtures.ts';
import { startService, type Service } from '../service.ts';
import {
  axeFindings,
  mailedLink,
  openBrowser,
  signIn,
  skipWithoutBoth,
  skipWithoutChromium,
} from './browser.ts';

const FACE = fixture('portraits/p15a_torres_studio.jpg');
const SHOTS = process.env.GUISE_SHOTS;
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

describe('the dashboard', { skip: skipWithoutChromium }, () => {
  let service: Service;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  const complaints: string[] = [];
  before(async () => {
    browser = await openBrowser();
    service = await startService({ env: { GUISE_SIGN_UP: 'open', GUISE_INPUT_RETENTION_HOURS: '1' } });
    context = await browser.newContext({ colorScheme: 'light' });
    page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error' && /Content.Security/i.test(message.text()))
        complaints.push(message.text());
    });
    page.on('request', (request) => {
      if (/^https?:/.test(request.url()) && new URL(request.url()).host !== new URL(service.url).host)
        complaints.push(request.url());
    });
    await signIn(page, service);
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  test('a first photo is swapped with three clicks after the link', { skip: skipWithoutBoth }, async () => {
    await page.getByLabel('The face to use').setInputFiles(FACE);
    await page.getByLabel('The photo to change').setInputFiles(fixture('groups/g09_meeting_four.jpg'));
    await page.getByText('Costs 3 credits').waitFor();
    await page.getByRole('button', { name: 'Swap', exact: true }).click();
    await page.getByText('Done for 3 credits').waitFor({ timeout: 60_000 });
    await page.getByAltText('After the swap').waitFor();
    const slider = page.getByRole('slider');
    await slider.focus();
    await slider.press('ArrowRight');
    assert.equal(await slider.getAttribute('aria-valuenow'), '51');
    await shoot('swapped');
  });

  test('a clicked face of a group is replaced by the chosen picture', { skip: skipWithoutBoth }, async () => {
    await visit('/playground/group');
    await page.getByLabel('The group photo').setInputFiles(fixture('groups/g09_meeting_four.jpg'));
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Face 1: unchanged' }).click();
    await (await chooser).setFiles(FACE);
    await page.getByRole('button', { name: /^Face 1: replaced by/ }).waitFor();
    await page.getByText('Costs 3 credits').waitFor();
    await page.getByRole('button', { name: 'Swap', exact: true }).click();
    await page.getByText('Done for 3 credits').waitFor({ timeout: 60_000 });
    await shoot('group-swapped');
  });

  test('a video can be cancelled while it runs', { skip: skipWithoutBoth }, async () => {
    await visit('/playground/video');
    await page.getByLabel('The face to use').setInputFiles(FACE);
    await page
      .getByLabel('The video to change')
      .setInputFiles(fixture('video/v20_two_faces_side_by_side_audio.mp4'));
    await page.getByText(/^Costs \d+ credits/).waitFor();
    await page.getByRole('button', { name: 'Swap', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText(/^Cancelled/).waitFor();
  });

  test('a key is shown once, rotated and revoked', async () => {
    await visit('/keys');
    await page.getByLabel('Name').fill('robot');
    await page.getByRole('button', { name: 'Create key' }).click();
    const secret = await page.getByLabel('key', { exact: true }).innerText();
    assert.equal((await read(secret)).status, 404);
    await page.getByRole('button', { name: 'Rotate robot' }).click();
    await page.getByRole('cell', { name: /^revoked/ }).waitFor();
    assert.equal((await read(secret)).status, 401);
    await visit('/keys');
    assert.equal((await page.content()).includes(secret), false);
    await page.getByRole('button', { name: 'Revoke robot' }).click();
    await page.getByRole('button', { name: 'Really revoke robot' }).click();
    await page.getByRole('button', { name: 'Rotate robot' }).waitFor({ state: 'detached' });
  });

  test('an operator changes the plan of an account, and the audit log says so', async () => {
    await service.createAccount({ email: 'customer@example.com', plan: 'free', credits: 1 });
    await visit('/operator');
    await page.getByRole('tab', { name: 'Accounts' }).click();
    await page.getByRole('button', { name: 'Open customer@example.com' }).click();
    await page.getByLabel('Plan', { exact: true }).last().selectOption('enterprise');
    await page.getByRole('button', { name: 'Set the plan' }).click();
    await page.getByText('customer@example.com: enterprise').waitFor();
    await page.getByRole('tab', { name: 'Audit log' }).click();
    await page.getByRole('cell', { name: 'plan.set' }).waitFor();
  });

  test(
    'without enough credits the swap is not offered, and the page says what to do',
    { skip: skipWithoutBoth },
    async () => {
      const poor = await (await browser.newContext()).newPage();
      await service.createAccount({ email: 'poor@example.com', credits: 1 });
      await signIn(poor, service, 'poor@example.com');
      await poor.getByLabel('The face to use').setInputFiles(FACE);
      await poor.getByLabel('The photo to change').setInputFiles(FACE);
      await poor.getByText('This costs 3 credits and you have 1').waitFor();
      assert.equal(await poor.getByRole('button', { name: 'Swap', exact: true }).isDisabled(), true);
    },
  );

  test(
    'who signs up follows the link of the mail, swaps a photo and checks its marks',
    { skip: skipWithoutBoth },
    async () => {
      const person = await (await browser.newContext()).newPage();
      await person.goto(`${service.url}/sign-up`);
      await person.getByLabel('Email').fill('new@example.com');
      await person.getByRole('button', { name: 'Sign up' }).click();
      await person.getByText('Look into your mail').waitFor();
      const { pathname, hash } = new URL(await mailedLink(service, 'new@example.com'));
      await person.goto(service.url + pathname + hash);
      await person.getByLabel(/^Name/).fill('Nell New');
      await person.getByLabel(/^Password/).fill('a long pass phrase');
      await person.getByRole('button', { name: 'Verify my address' }).click();
      await person.getByLabel('Email').fill('new@example.com');
      await person.getByLabel(/^Password/).fill('a long pass phrase');
      await person.getByRole('button', { name: 'Sign in' }).click();
      await person.getByLabel('The face to use').setInputFiles(FACE);
      await person.getByLabel('The photo to change').setInputFiles(fixture('groups/g09_meeting_four.jpg'));
      await person.getByText('Costs 3 credits').waitFor();
      await person.getByRole('button', { name: 'Swap', exact: true }).click();
      await person.getByText('Done for 3 credits').waitFor({ timeout: 60_000 });
      await person.getByRole('link', { name: 'Tasks' }).click();
      await person.getByRole('link', { name: /^Open task/ }).click();
      await person.getByRole('button', { name: 'Check the provenance' }).click();
      await person.getByText('It is marked as made by a swap.').waitFor();
      assert.deepEqual(await axeFindings(person), []);
      await shoot('task', person);
      const first = person.url();
      await person.getByRole('button', { name: 'Run again for 3 credits' }).click();
      await person.waitForURL((url) => url.href !== first);
      await person.getByText('completed', { exact: true }).waitFor({ timeout: 60_000 });
      await person.route('**/account/tasks/*', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), rerun: null } });
      });
      await person.reload();
      await person.getByText('Its files were deleted').waitFor();
      assert.equal(await person.getByRole('button', { name: 'Run again' }).isDisabled(), true);
    },
  );

  test('the reference sends an operation for the reader, without a key of theirs', async () => {
    await visit('/docs');
    await page.getByRole('button', { name: /^GET \/api\/ai-tasks Read/ }).click();
    await page.getByLabel('taskId').fill('0f8fad5b-d9cb-469f-a165-70867728950e');
    await page.getByRole('button', { name: 'Send it' }).click();
    await page.getByLabel('answer', { exact: true }).getByText(/^404/).waitFor();
    assert.deepEqual(await axeFindings(page), []);
    await shoot('docs-open');
    await page.getByText('v1', { exact: true }).click();
    await page.getByRole('button', { name: /^POST \/v1\/image-swap/ }).waitFor();
  });

  test('several photos of a batch are shown, priced and swapped', { skip: skipWithoutBoth }, async () => {
    await visit('/playground/batch');
    await page.getByLabel(/^The face to use/).setInputFiles(FACE);
    await page
      .getByLabel(/^The photos to change/)
      .setInputFiles([FACE, fixture('portraits/p15b_torres_desk.jpg')]);
    await page.getByText('Costs 6 credits').waitFor();
    await page.getByRole('button', { name: 'Swap', exact: true }).click();
    await page.getByText('Done for 6 credits').waitFor({ timeout: 60_000 });
    assert.equal(await page.getByRole('link', { name: /^Download/ }).count(), 2);
    await shoot('batch-swapped');
  });

  test('the first load is at most 250 kB of compressed JavaScript and CSS', async () => {
    const fresh = await context.newPage();
    const bodies: Promise<Buffer>[] = [];
    fresh.on('response', (response) => {
      if (/\.(js|css)$/.test(new URL(response.url()).pathname)) bodies.push(response.body());
    });
    await fresh.goto(service.url);
    await fresh.getByText('The photo to change').waitFor();
    const bytes = (await Promise.all(bodies)).reduce((sum, body) => sum + gzipSync(body).length, 0);
    assert.ok(bodies.length > 2);
    assert.ok(bytes <= 250_000, `${bytes} bytes`);
    await fresh.close();
  });

  test('when the session ended, signing in again keeps what was entered', async () => {
    await visit('/you');
    await page.getByLabel('New password').fill('a long pass phrase');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByText('The password is set').waitFor();
    await visit('/keys');
    await page.getByLabel('Name').fill('kept name');
    await context.clearCookies();
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Password/).fill('a long pass phrase');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('Name').inputValue(), 'kept name');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('cell', { name: 'kept name', exact: true }).waitFor();
  });

  for (const scheme of ['light', 'dark'] as const) {
    test(`axe-core finds nothing serious on any page, ${scheme}`, async () => {
      await page.emulateMedia({ colorScheme: scheme });
      const findings: string[] = [];
      for (const path of PATHS) {
        await visit(path);
        findings.push(...(await axeFindings(page)).map((text) => `${path} ${text}`));
        await shoot(`${path.slice(1).replace('/', '-') || 'photo'}-${scheme}`);
      }
      await visit('/operator');
      for (const name of ['Accounts', 'Invitations', 'Failures', 'Audit log']) {
        await page.getByRole('tab', { name }).click();
        await page.getByLabel('Loading').first().waitFor({ state: 'detached' });
        findings.push(...(await axeFindings(page)).map((text) => `operator, ${name}: ${text}`));
        await shoot(`operator-${name.toLowerCase().replace(' ', '-')}-${scheme}`);
      }
      for (const path of [
        '/sign-in',
        '/sign-up',
        '/forgot-password',
        '/verify-email',
        '/reset-password',
        '/sign-in/link',
      ]) {
        await page.goto(service.url + path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        findings.push(...(await axeFindings(page)).map((text) => `${path} ${text}`));
        await shoot(`${path.slice(1).replace('/', '-')}-${scheme}`);
      }
      assert.deepEqual(findings, []);
    });
  }

  test('every page fits a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of PATHS) {
      await visit(path);
      await shoot(`${path.slice(1).replace('/', '-') || 'photo'}-phone`);
      assert.ok(
        (await page.evaluate<number>('document.documentElement.scrollWidth')) <= 390,
        `${path} is wider than the screen`,
      );
    }
  });

  test('nothing was blocked by the Content-Security-Policy, nothing asked of another host', () => {
    assert.deepEqual(complaints, []);
  });

  async function visit(path: string): Promise<void> {
    await page.goto(service.url + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    // A door in its place would pass every check of looks.
    await page.getByRole('navigation', { name: 'Pages', includeHidden: true }).waitFor({ state: 'attached' });
    await page.getByLabel('Loading').first().waitFor({ state: 'detached' });
  }

  async function shoot(name: string, of = page): Promise<void> {
    if (SHOTS === undefined) return;
    mkdirSync(SHOTS, { recursive: true });
    await of.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
  }

  function read(key: string): Promise<Response> {
    const url = `${service.url}/api/ai-tasks?taskId=0f8fad5b-d9cb-469f-a165-70867728950e`;
    return fetch(url, { headers: { authorization: `Bearer ${key}` } });
  }
});
