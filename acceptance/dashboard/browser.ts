import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type BrowserContext, type Locator, type Page } from 'playwright-core';
import { ensureDashboardBuilt } from '@guise/dashboard/ensure-dashboard-built.ts';
import { makeDataDir, removeDataDir, startService, type Service } from '../service.ts';

/** The browser without a screen comes first: it is the faster one. */
const CHROMIUM =
  process.env.GUISE_CHROMIUM ??
  ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((file) => existsSync(file));
/** Where pictures of the pages are put, for people to look at. */
const SHOTS = process.env.GUISE_SHOTS;
/** Longest wait for the effect of one step of a person. */
const STEP_LIMIT_MS = 240_000;
/** Options of a test that bound its whole run. */
export const BOUNDED = { timeout: 900_000 };

export const skipWithoutChromium: string | false =
  CHROMIUM !== undefined && existsSync(CHROMIUM) ? false : 'there is no Chromium';

export interface Rig {
  readonly service: Service;
  /** Policy violations and requests to other hosts, of its pages so far. */
  readonly complaints: readonly string[];
  /** A page of a browser that nobody is signed in to. */
  newPage(): Promise<Page>;
  /** A page of a browser of its own where this account is signed in. */
  signedIn(email?: string): Promise<Page>;
  /** Closes its pages. */
  close(): Promise<void>;
}

/**
 * Environment of the service that most files share: uploads stay, so that tasks run again, and
 * anybody signs up.
 */
const EVERYDAY = { GUISE_INPUT_RETENTION_HOURS: '1', GUISE_SIGN_UP: 'open' };
/** Environment of the service on which operators turned off what they can, and have set prices. */
export const RESTRICTED = { GUISE_PUBLIC_VERIFY: '0', GUISE_ENGINE_PRICES: 'tint=2' };

/** The browser and the services of this process, by their environments. */
let browser: Promise<Browser> | null = null;
const services = new Map<string, Promise<Service>>();
after(async () => {
  await (await browser)?.close();
  for (const each of services.values()) {
    const service = await each;
    await service.stop();
    await removeDataDir(service.dataDir);
  }
});

/**
 * Pages on a service with this environment: the files of one process share one, so that each has
 * accounts of its own for what it makes. The owner's tasks and keys are those of `pages.test.ts`.
 */
export async function openRig(env: NodeJS.ProcessEnv = EVERYDAY): Promise<Rig> {
  await ensureDashboardBuilt();
  const service = await sharedService(env);
  // One after the other: if the service cannot start, no browser keeps the test's process alive.
  browser ??= chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  const opened = await browser;
  const contexts: BrowserContext[] = [];
  const complaints: string[] = [];
  const newPage = async (): Promise<Page> => {
    const context = await opened.newContext({
      colorScheme: 'light',
      // A spinner on a screen that no graphics card draws would take half a core.
      reducedMotion: 'reduce',
      baseURL: service.url,
    });
    contexts.push(context);
    context.setDefaultTimeout(STEP_LIMIT_MS);
    context.on('console', (message) => {
      if (message.type() === 'error' && /Content.Security/i.test(message.text()))
        complaints.push(message.text());
    });
    context.on('request', (request) => {
      if (/^https?:/.test(request.url()) && new URL(request.url()).host !== new URL(service.url).host)
        complaints.push(request.url());
    });
    return context.newPage();
  };
  return {
    service,
    complaints,
    newPage,
    async signedIn(email = 'owner@localhost') {
      const page = await newPage();
      await page.goto(await signInLink(service, email));
      await page.getByRole('button', { name: 'Go in' }).click();
      await page.getByRole('heading', { name: 'Swap' }).waitFor();
      return page;
    },
    async close() {
      for (const context of contexts) await context.close();
    },
  };
}

function sharedService(env: NodeJS.ProcessEnv): Promise<Service> {
  const key = JSON.stringify(env);
  const service = services.get(key) ?? makeDataDir().then((dataDir) => startService({ dataDir, env }));
  services.set(key, service);
  return service;
}

/** The file input of a place on the page, by its name. */
export function slot(page: Page, name: string): Locator {
  return page.locator(`input[type=file][aria-label="${name}"], input[type=file][aria-label^="${name}: "]`);
}

/** Signs the account in once; as the first start prints it on a terminal. */
export async function signInLink(service: Service, email: string): Promise<string> {
  const link = /https?:\/\/\S+#token=\S+/.exec(await service.guise('account', 'link', '--email', email));
  assert.ok(link, 'the command prints a link');
  return link[0];
}

/** A page of a signed-in person, loaded anew and whole. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  // A door in its place would pass every check of looks.
  await page.getByRole('navigation', { name: 'Pages', includeHidden: true }).waitFor({ state: 'attached' });
  await settled(page);
}

/**
 * Goes to another page as a link does: the dashboard is not loaded anew, which takes a second of
 * the processor.
 */
export async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate(`(async () => {
    history.pushState(null, '', '${path}');
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  })()`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await settled(page);
}

export async function settled(page: Page): Promise<void> {
  await page.getByLabel('Loading').first().waitFor({ state: 'detached' });
}

/** A picture of the whole page, where somebody wants to look at it. */
export async function shoot(page: Page, name: string): Promise<void> {
  if (SHOTS === undefined) return;
  mkdirSync(SHOTS, { recursive: true });
  await page.evaluate('scrollTo(0, 0)');
  await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
}

/**
 * The serious and critical findings of axe-core on the page as it stands, one line each. @param
 * rules null: all.
 */
export async function axeFindings(page: Page, rules: string[] | null = null): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis')))
    await page.evaluate(await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8'));
  return page.evaluate(async (runOnly) => {
    const { axe } = globalThis as unknown as {
      axe: {
        run: (
          options: object,
        ) => Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>;
      };
    };
    const { violations } = await axe.run({ resultTypes: ['violations'], ...(runOnly ? { runOnly } : {}) });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
  }, rules);
}

/** Rules of axe-core that look at colours. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Checks a page in both schemes and on a phone, and takes its pictures. */
export async function look(of: Page, name: string): Promise<void> {
  for (const [width, height] of [
    [1280, 720],
    [390, 844],
  ] as const) {
    await of.setViewportSize({ width, height });
    for (const scheme of ['light', 'dark'] as const) {
      await of.emulateMedia({ colorScheme: scheme });
      // On a phone the result slides over the page: its colours are mixed for a moment.
      // Between the two schemes only colours differ.
      const rules = scheme === 'dark' ? COLOUR_RULES : null;
      if (width > 390) assert.deepEqual(await axeFindings(of, rules), [], `${name}, ${scheme}`);
      await shoot(of, `${name}-${scheme}-${width}`);
    }
    const scrolled = await of.evaluate<number>('document.documentElement.scrollWidth');
    assert.ok(scrolled <= width, `${name}: ${scrolled} of ${width}`);
  }
  await of.setViewportSize({ width: 1280, height: 720 });
  await of.emulateMedia({ colorScheme: 'light' });
}
