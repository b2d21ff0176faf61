import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';
import { skipWithoutFixtures } from '../../scripts/fixtures.ts';
import { ensureDashboardBuilt } from '../../packages/dashboard/src/ensure-dashboard-built.ts';
import type { Service } from '../service.ts';

const MAIL_LIMIT_MS = 10_000;
const CHROMIUM = process.env.GUISE_CHROMIUM ?? '/usr/bin/chromium';

export const skipWithoutChromium: string | false = existsSync(CHROMIUM) ? false : `${CHROMIUM} is absent`;
export const skipWithoutBoth: string | false = skipWithoutChromium || skipWithoutFixtures;

export async function openBrowser(): Promise<Browser> {
  await ensureDashboardBuilt();
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
}

/** Opens the link that signs the account in once, and goes in. */
export async function signIn(page: Page, service: Service, email = 'owner@localhost'): Promise<void> {
  const link = /https?:\/\/\S+#token=\S+/.exec(await service.guise('account', 'link', '--email', email));
  assert.ok(link, 'the command prints a link');
  const { pathname, hash } = new URL(link[0]);
  await page.goto(service.url + pathname + hash);
  await page.getByRole('button', { name: 'Go in' }).click();
  await page.getByRole('heading', { name: 'Swap a face in a photo' }).waitFor();
}

/** The link of the mail to `email`, as the service without a mail server left it in its data directory. */
export async function mailedLink({ dataDir }: Service, email: string): Promise<string> {
  const outbox = path.join(dataDir, 'outbox');
  for (const deadline = Date.now() + MAIL_LIMIT_MS; Date.now() < deadline; await delay(100)) {
    for (const name of await readdir(outbox).catch(() => [])) {
      if (!name.endsWith('.eml')) continue;
      const mail = decodeQuotedPrintable(await readFile(path.join(outbox, name), 'utf8'));
      const link = /https?:\/\/\S+#token=\S+/.exec(mail);
      if (link && mail.includes(`To: ${email}`)) return link[0];
    }
  }
  throw new Error(`no mail to ${email} in ${outbox}`);
}

function decodeQuotedPrintable(text: string): string {
  return text
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** The serious and critical findings of axe-core on the page as it stands, one line each. */
export async function axeFindings(page: Page): Promise<string[]> {
  const source = await readFile(fileURLToPath(import.meta.resolve('axe-core')), 'utf8');
  await page.evaluate(source);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: {
        run: () => Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>;
      };
    };
    const { violations } = await axe.run();
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
  });
}
