/**
 * An account's life in a real Chromium: mail by a real SMTP server, sessions, keys, webhooks, and
 * its end.
 */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startReceiver, type Receiver } from '@guise/server/webhooks/testing/receiver.ts';
import type { Locator, Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { BOUNDED, look, openRig, type Rig, skipWithoutChromium, slot, visit } from './browser.ts';
import { startMailServer, type MailServer } from './mail-server.ts';
import { face, twoFaces } from './media.ts';

const FIRST = { email: 'ada@example.com', password: 'a long pass phrase' };
const ENTERPRISE = 'enterprise@example.com';

describe('an account', { skip: skipWithoutChromium }, () => {
  let mail: MailServer;
  let receiver: Receiver;
  let rig: Rig;
  /** Page of the person who signed up. */
  let page: Page;
  /** Page of an account on the Enterprise plan. */
  let large: Page;
  let largeKey: string;
  before(async () => {
    [mail, receiver] = await Promise.all([startMailServer(), startReceiver()]);
    rig = await openRig({
      GUISE_SIGN_UP: 'open',
      GUISE_SMTP_URL: mail.url,
      GUISE_ALLOW_PRIVATE_URLS: '1',
    });
    page = await rig.newPage();
    ({ apiKey: largeKey } = await rig.service.createAccount({ email: ENTERPRISE, plan: 'enterprise' }));
    large = await rig.signedIn(ENTERPRISE);
  });
  after(async () => {
    await rig?.close();
    await receiver?.close();
    await mail?.close();
  });

  test('who signs up gets a mail, follows its link, chooses a password and signs in', BOUNDED, async () => {
    await page.goto('/sign-up');
    await page.getByLabel('Email').fill(FIRST.email);
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByText('Check your email').waitFor();
    await open(await mail.nextLink(FIRST.email));
    await page.getByLabel(/^Password/).fill(FIRST.password);
    await page.getByRole('button', { name: 'Verify my address' }).click();
    await page.getByText('Your address is verified.').waitFor();
    await signIn(FIRST.email, FIRST.password);
  });

  test(
    'a forgotten password is replaced by the link of a mail; the old one opens nothing',
    BOUNDED,
    async () => {
      await page.getByRole('button', { name: 'Theme and sign out' }).click();
      await page.getByRole('button', { name: 'Sign out', exact: true }).click();
      await page.getByRole('link', { name: 'Forgot your password?' }).click();
      await page.getByLabel('Email').fill(FIRST.email);
      await page.getByRole('button', { name: 'Send me a link' }).click();
      await page.getByText('Check your email').waitFor();
      await open(await mail.nextLink(FIRST.email));
      await page.getByLabel(/^New password/).fill('another pass phrase');
      await page.getByRole('button', { name: 'Set the password' }).click();
      await page.getByText('Your password is set.').waitFor();
      await page.getByLabel('Email').fill(FIRST.email);
      await page.getByLabel(/^Password/).fill(FIRST.password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').waitFor();
      await signIn(FIRST.email, 'another pass phrase');
    },
  );

  test('whoever has a link that is used up is told so, and sent another', BOUNDED, async () => {
    const stranger = await rig.newPage();
    await stranger.goto('/reset-password#token=used');
    await stranger.getByLabel(/^New password/).fill('another pass phrase');
    await stranger.getByRole('button', { name: 'Set the password' }).click();
    await stranger.getByRole('alert').waitFor();
    await stranger.getByRole('link', { name: 'Have another link sent' }).click();
    await stranger.getByRole('button', { name: 'Send me a link' }).waitFor();
    await stranger.goto('/verify-email#token=used');
    await stranger.getByLabel(/^Password/).fill('another pass phrase');
    await stranger.getByRole('button', { name: 'Verify my address' }).click();
    await stranger.getByRole('alert').waitFor();
    await stranger.getByRole('button', { name: 'Have another link sent' }).click();
    await stranger.getByLabel('Email').fill('somebody@example.com');
    await stranger.getByRole('button', { name: 'Send the link again' }).click();
    await stranger.getByText('Check your email').waitFor();
    await stranger.context().close();
  });

  test('the address changes when the new one confirms it, not before', BOUNDED, async () => {
    await visit(page, '/settings');
    await page.getByLabel('New email').fill('lovelace@example.com');
    await section('Change the email address')
      .getByLabel(/^Password/)
      .fill('another pass phrase');
    await page.getByRole('button', { name: 'Send a link to the new address' }).click();
    await page.getByText('until then nothing changes').waitFor();
    await visit(page, '/settings');
    await page.getByText(`${FIRST.email}, plan`).waitFor();
    const link = await mail.nextLink('lovelace@example.com');
    // Who has nothing but the mail gives the address to nobody's account.
    const stranger = await rig.newPage();
    await stranger.goto(link);
    await stranger.getByText('Sign in to the account that gets this address.').waitFor();
    await open(link);
    await page.getByRole('button', { name: 'Confirm the new address' }).click();
    await page.getByText('Your address is changed.').waitFor();
    await visit(page, '/settings');
    await page.getByText('lovelace@example.com, plan').waitFor();
  });

  test('when the session ended, signing in again keeps what was entered', BOUNDED, async () => {
    await visit(page, '/developers');
    await page.getByRole('textbox', { name: 'Name' }).fill('kept name');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Password/).fill('another pass phrase');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), 'kept name');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('cell', { name: 'kept name', exact: true }).waitFor();
  });

  test(
    'a key is shown once, rotated and revoked; nothing on the disk or in a log has it',
    BOUNDED,
    async () => {
      await visit(page, '/developers');
      await page.getByRole('textbox', { name: 'Name' }).fill('robot of mine');
      await page.getByRole('button', { name: 'Create key' }).click();
      const secret = await page.getByLabel('key', { exact: true }).innerText();
      assert.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), '', 'ready for another');
      assert.equal((await read(secret)).status, 404);
      // In the database's files and its log of changes, in other files of the service, in what it
      // printed.
      assert.ok(await isOnDisk('robot of mine'));
      assert.equal(await isOnDisk(secret.slice(4)), false);
      assert.equal(rig.service.output().includes(secret.slice(4)), false);
      await page.getByRole('button', { name: 'Rotate robot of mine' }).click();
      // Whoever turns to something else did not mean it.
      await page.getByRole('textbox', { name: 'Name' }).click();
      await page.getByRole('button', { name: 'Rotate robot of mine' }).click();
      assert.equal((await read(secret)).status, 404, 'the key works as long as nobody was sure');
      await page.getByRole('button', { name: 'Yes, rotate robot of mine' }).click();
      const revoked = page.getByRole('region', { name: 'Revoked keys' });
      await revoked.getByRole('cell', { name: `...${secret.slice(-4)}` }).waitFor();
      assert.equal((await read(secret)).status, 401);
      const answers: Promise<string>[] = [];
      page.on('response', (response) => {
        // The stream of events has no end.
        if (response.headers()['content-type']?.startsWith('text/event-stream')) return;
        answers.push(response.text().catch(() => ''));
      });
      await visit(page, '/developers');
      assert.equal((await page.content()).includes(secret), false);
      assert.equal((await Promise.all(answers)).join('').includes(secret.slice(4, -4)), false);
      await page.getByRole('button', { name: 'Revoke robot of mine' }).click();
      await page.getByRole('button', { name: 'Yes, revoke robot of mine' }).click();
      await page.getByRole('button', { name: 'Rotate robot of mine' }).waitFor({ state: 'detached' });
      // Two, under the heads.
      await revoked.getByRole('row').nth(2).waitFor();
      // A month later nobody looks for them any more.
      await page.clock.setFixedTime(Date.now() + 31 * 24 * 60 * 60 * 1000);
      await visit(page, '/developers');
      assert.equal(await revoked.count(), 0);
      await page.clock.setFixedTime(Date.now());
    },
  );

  test('an Enterprise account binds its keys to addresses, and frees them again', BOUNDED, async () => {
    await visit(large, '/developers');
    const ranges = large.getByLabel(/^Addresses or ranges/);
    const save = large.getByRole('button', { name: 'Save the allowlist' });
    await ranges.fill('not an address');
    await save.click();
    await large.getByRole('alert').waitFor();
    await ranges.fill('198.51.100.0/24\n203.0.113.7');
    await save.click();
    await large.getByText('Saved.').waitFor();
    assert.equal((await read(largeKey)).status, 401);
    await visit(large, '/');
    await slot(large, 'The face to use').setInputFiles(face);
    await slot(large, 'The photo to change').setInputFiles(face);
    await large.getByText('see the IP allowlist under Developers').waitFor();
    await visit(large, '/developers');
    assert.equal(await ranges.inputValue(), '198.51.100.0/24\n203.0.113.7/32');
    await ranges.fill('');
    await save.click();
    await large.getByText('Saved.').waitFor();
    assert.equal((await read(largeKey)).status, 404);
  });

  test('a webhook is looked at and sent again; its secret is shown and rotated', BOUNDED, async () => {
    const posted = await fetch(`${rig.service.url}/v1/batch-swap`, {
      method: 'POST',
      headers: { authorization: `Bearer ${largeKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        source_image: face.buffer.toString('base64'),
        target_images: [face.buffer.toString('base64')],
        webhook_url: `${receiver.origin}/told`,
      }),
    });
    assert.equal(posted.status, 202);
    await receiver.received(1);
    await visit(large, '/developers/webhooks');
    await large.getByRole('button', { name: 'Show the secret' }).click();
    const secret = await large.getByLabel('secret', { exact: true }).innerText();
    await large.getByRole('button', { name: /^Open batch_swap.completed/ }).click();
    const payload = await large.getByLabel('payload', { exact: true }).innerText();
    assert.equal(receiver.requests[0]!.body.toString(), payload);
    await large.getByRole('button', { name: 'Send again' }).click();
    await receiver.received(2);
    const [, again] = receiver.requests;
    assert.ok(new Webhook(secret).verify(again!.body, again!.headers as Record<string, string>));
    await large.getByRole('region', { name: 'Attempts' }).getByRole('row').nth(2).waitFor();
    await large.getByRole('button', { name: 'Rotate the secret' }).click();
    // Whoever turns to something else did not mean it.
    await large.getByRole('button', { name: 'Show the secret' }).click();
    assert.equal(await large.getByLabel('secret', { exact: true }).innerText(), secret);
    await large.getByRole('button', { name: 'Rotate the secret' }).click();
    await large.getByRole('button', { name: 'Yes, rotate the secret' }).click();
    await large.getByText(/^Until .* the previous secret also signs/).waitFor();
    assert.notEqual(await large.getByLabel('secret', { exact: true }).innerText(), secret);
  });

  test('an operator changes the plan of an account, and the audit log says so', BOUNDED, async () => {
    await rig.service.createAccount({ email: 'customer@example.com', plan: 'free', credits: 1 });
    const owner = await rig.signedIn();
    await visit(owner, '/admin');
    await owner.getByRole('tab', { name: 'Accounts' }).click();
    await owner.getByRole('button', { name: 'Open customer@example.com' }).click();
    await owner.getByLabel('Plan', { exact: true }).last().selectOption('enterprise');
    await owner.getByRole('button', { name: 'Set the plan' }).click();
    await owner.getByText('customer@example.com: enterprise').waitFor();
    await owner.getByRole('button', { name: 'Suspend' }).click();
    await owner.getByLabel('Note').click();
    await owner.getByRole('button', { name: 'Suspend' }).click();
    await owner.getByRole('region', { name: 'Active' }).waitFor();
    await owner.getByRole('button', { name: 'Yes, suspend' }).click();
    await owner.getByRole('region', { name: 'Suspended' }).waitFor();
    await owner.getByRole('button', { name: 'Reactivate' }).click();
    await owner.getByRole('region', { name: 'Active' }).waitFor();
    await owner.getByRole('tab', { name: 'Audit log' }).click();
    await owner.getByRole('cell', { name: 'plan.set' }).waitFor();
    await owner.getByRole('cell', { name: 'to enterprise, from free' }).waitFor();
    const byCommand = owner.getByRole('row').filter({ hasText: 'customer@example.com' }).last();
    await byCommand.getByRole('cell', { name: 'command line' }).waitFor();
    await byCommand.getByRole('cell', { name: 'account.create' }).waitFor();
  });

  test('an operator puts a face on the blocklist, and takes it off again', BOUNDED, async () => {
    const owner = await rig.signedIn();
    await visit(owner, '/admin/blocklist');
    await owner.getByText('Nobody is on the blocklist.').waitFor();
    await owner.getByLabel('Name').fill('Ada');
    await owner.getByLabel('Why').fill('She asked us on 3 May 2026.');
    await slot(owner, 'Photo of the person').setInputFiles(await twoFaces());
    const add = owner.getByRole('button', { name: 'Add to the blocklist' });
    await add.click();
    await owner.getByRole('alert').getByText('Photo shows several faces.').waitFor();
    await look(owner, 'blocklist-refused');
    await owner.getByRole('button', { name: 'Remove two.png' }).click();
    await slot(owner, 'Photo of the person').setInputFiles(face);
    await add.click();
    await owner.getByRole('cell', { name: 'She asked us on 3 May 2026.' }).waitFor();
    assert.equal(await owner.getByLabel('Name').inputValue(), '');
    await look(owner, 'blocklist');
    await owner.getByRole('button', { name: 'Remove Ada' }).click();
    await owner.getByRole('button', { name: 'Yes, remove Ada' }).click();
    await owner.getByText('Nobody is on the blocklist.').waitFor();
    await owner.getByRole('tab', { name: 'Audit log' }).click();
    await owner.getByRole('cell', { name: 'blocklist.add' }).waitFor();
    await owner.getByRole('cell', { name: 'blocklist.remove' }).waitFor();
  });

  test('a list of the operator goes on where its page ends, and begins anew', BOUNDED, async () => {
    const owner = await rig.signedIn();
    await owner.evaluate(async () => {
      for (let n = 1; n <= 26; n++) {
        const body = JSON.stringify({ email: `guest-${n}@example.com` });
        const headers = { 'content-type': 'application/json' };
        await fetch('/account/operator/invitations', { method: 'POST', headers, body });
      }
    });
    await visit(owner, '/admin');
    await owner.getByRole('tab', { name: 'Invitations' }).click();
    const latest = owner.getByRole('cell', { name: 'guest-26@example.com', exact: true });
    const first = owner.getByRole('cell', { name: 'guest-1@example.com', exact: true });
    await latest.waitFor();
    assert.equal(await first.count(), 0);
    await owner.getByRole('button', { name: 'Older' }).click();
    await first.waitFor();
    assert.equal(await latest.count(), 0);
    await owner.getByRole('button', { name: 'Revoke' }).last().click();
    await owner.getByRole('button', { name: 'Yes, revoke' }).click();
    await first.waitFor({ state: 'detached' });
    await owner.getByRole('button', { name: 'Newest' }).click();
    await latest.waitFor();
  });

  test('their data is exported, and all their files are deleted', BOUNDED, async () => {
    await visit(page, '/settings');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export my data' }).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\n');
    assert.equal(JSON.parse(lines[0]!).email, 'lovelace@example.com');
    await page.getByRole('button', { name: 'Delete all my files' }).click();
    await page.getByRole('button', { name: 'Yes, delete all my files' }).click();
    await page.getByText(/^Deleted \d+ files and \d+ saved faces, and cancelled \d+ swaps\.$/).waitFor();
  });

  test('who deletes the account is out, and nothing opens it again', BOUNDED, async () => {
    await visit(page, '/settings');
    await page.getByLabel(/^Type your email address/).fill('lovelace@example.com');
    await section('Delete the account')
      .getByLabel(/^Password/)
      .fill('another pass phrase');
    await page.getByRole('button', { name: 'Delete my account for good' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByLabel('Email').fill('lovelace@example.com');
    await page.getByLabel(/^Password/).fill('another pass phrase');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
  });

  test('nothing was blocked by the Content-Security-Policy, nothing asked of another host', () => {
    assert.deepEqual(rig.complaints, []);
  });

  function section(name: string): Locator {
    return page.getByRole('region', { name });
  }

  async function open(link: string): Promise<void> {
    await page.goto(link);
  }

  async function signIn(email: string, password: string): Promise<void> {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel(/^Password/).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Swap' }).waitFor();
  }

  function read(key: string): Promise<Response> {
    const url = `${rig.service.url}/api/ai-tasks?taskId=0f8fad5b-d9cb-469f-a165-70867728950e`;
    return fetch(url, { headers: { authorization: `Bearer ${key}` } });
  }

  async function isOnDisk(text: string): Promise<boolean> {
    for (const each of await readdir(rig.service.dataDir, { recursive: true, withFileTypes: true })) {
      if (!each.isFile()) continue;
      // The database may take a file away in the meantime.
      const bytes = await readFile(path.join(each.parentPath, each.name)).catch(() => Buffer.alloc(0));
      if (bytes.includes(text)) return true;
    }
    return false;
  }
});
