/** A network that an operator adds, chosen and compared on the page of swaps. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { addTint } from '../own-networks.ts';
import { until } from '../reliability/processes.ts';
import {
  axeFindings,
  BOUNDED,
  openRig,
  RESTRICTED,
  type Rig,
  settled,
  shoot,
  skipWithoutChromium,
  visit,
} from './browser.ts';
import { body, face } from './media.ts';
import { choosePhoto, swap, SWAP_LIMIT_MS } from './swap-steps.ts';

describe('engines on the page of swaps', { skip: skipWithoutChromium }, () => {
  let rig: Rig;
  let page: Page;
  before(async () => {
    rig = await openRig(RESTRICTED);
    page = await rig.signedIn();
  });
  after(() => rig?.close());

  test('the choice appears once a worker has a network, and changes the price', BOUNDED, async () => {
    await choosePhoto(page, face, body);
    await page.getByText('Advanced', { exact: true }).click();
    await page.getByText('Detail of the face').waitFor();
    assert.equal(await page.getByLabel('Engine').count(), 0);
    await addTint(rig.service);
    const { apiKey } = await rig.service.createAccount({ email: 'program@example.com' });
    const headers = { authorization: `Bearer ${apiKey}` };
    await until('the network is listed', async () => {
      const answer = await fetch(`${rig.service.url}/api/ai-tasks/engines`, { headers });
      return (await answer.text()).includes('"tint"');
    });
    await choosePhoto(page, face, body);
    await page.getByText('3 credits', { exact: true }).waitFor();
    await page.getByText('Advanced', { exact: true }).click();
    await page.getByText('Detail of the face').waitFor();
    await page.getByLabel('Engine').selectOption('tint');
    assert.match(
      await page.getByLabel('Engine').innerText(),
      /tint \(network, 256 pixels, 2 times the price\)/,
    );
    await swap(page, 6);
    assert.deepEqual(await axeFindings(page), []);
    await shoot(page, 'engine-chosen');
  });

  test('all engines are compared on the own photo, and one is chosen there', BOUNDED, async () => {
    await page.getByRole('button', { name: 'Compare all 2 on this photo for 9 credits' }).click();
    const results = ['mesh', 'tint'].map((name) => page.getByRole('region', { name }));
    for (const result of results) {
      await result.getByAltText('After the swap').waitFor({ timeout: SWAP_LIMIT_MS });
      assert.match(
        await result.getByRole('status').innerText(),
        /^[\d.]+ s, [36] credits, likeness 0\.\d\d$/,
      );
    }
    await settled(page);
    assert.deepEqual(await axeFindings(page), []);
    await shoot(page, 'engines-compared');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 390, height: 844 });
    await shoot(page, 'engines-compared-phone');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1280, height: 720 });
    await results[0]!.getByRole('button', { name: 'Use this engine' }).click();
    assert.equal(await page.getByLabel('Engine').inputValue(), 'mesh');
    await page.getByText('3 credits', { exact: true }).waitFor();
  });

  test(
    'the operator sees which machine holds the network, and who said that it may be used',
    BOUNDED,
    async () => {
      await visit(page, '/admin');
      await page.getByRole('cell', { name: 'tint (cpu)' }).waitFor();
      await shoot(page, 'admin-networks');
      await visit(page, '/admin/audit-log');
      await page.getByRole('cell', { name: 'network.add' }).first().waitFor();
      await page.getByRole('cell', { name: /tint/ }).first().waitFor();
      assert.deepEqual(rig.complaints, []);
    },
  );
});
