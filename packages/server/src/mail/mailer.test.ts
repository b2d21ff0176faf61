import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { SMTPServer } from 'smtp-server';
import { createMailer } from './mailer.ts';

const MAIL = { to: 'ada@example.com', subject: 'Hello', text: 'A line.\n\nhttp://guise.test/#token=abc\n' };

test('mail reaches a real SMTP server, with sender and recipient', async () => {
  const received: { from: string; to: string[]; text: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString(),
        });
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const mailer = createMailer({
    smtpUrl: `smtp://127.0.0.1:${port}`,
    from: 'Guise <guise@example.com>',
    outboxDir: '/nowhere',
  });
  try {
    assert.equal(mailer.kind, 'smtp');
    await mailer.send(MAIL);
    // An address is a recipient and nothing else, whatever it looks like.
    await mailer.send({ ...MAIL, to: 'a@example.com', subject: 'x\r\nBcc: thief@example.com' });
    assert.deepEqual(
      received.map(({ from, to }) => [from, to]),
      [
        ['guise@example.com', ['ada@example.com']],
        ['guise@example.com', ['a@example.com']],
      ],
    );
    assert.match(received[0]!.text, /^Subject: Hello\r$/m);
    assert.match(received[0]!.text, /http:\/\/guise\.test\/#token=(3D)?abc/);
    assert.doesNotMatch(received[1]!.text, /^Bcc:/m);
  } finally {
    mailer.close();
    const closed = once(server, 'close');
    server.close();
    await closed;
  }
});

test("without a server mail is a whole file for its owner's eyes", async () => {
  const root = await mkdtemp(path.join(os.tmpdir(), 'guise-mail-'));
  try {
    const outboxDir = path.join(root, 'outbox');
    const mailer = createMailer({ smtpUrl: null, from: 'guise@localhost', outboxDir });
    await Promise.all([mailer.send(MAIL), mailer.send(MAIL)]);
    const names = await readdir(outboxDir);
    assert.equal(names.length, 2);
    for (const name of names) {
      assert.match(name, /\.eml$/);
      const file = path.join(outboxDir, name);
      assert.equal((await stat(file)).mode & 0o777, 0o600);
      assert.match(await readFile(file, 'utf8'), /^To: ada@example\.com\r?$/m);
    }
    assert.equal((await stat(outboxDir)).mode & 0o777, 0o700);
  } finally {
    await rm(root, { recursive: true });
  }
});

test('by name, mail lies in the order it was sent, also in one millisecond and where the clock steps back', async (t) => {
  const outboxDir = await mkdtemp(path.join(os.tmpdir(), 'guise-mail-'));
  try {
    const mailer = createMailer({ smtpUrl: null, from: 'guise@localhost', outboxDir });
    const times = [20, 20, 10, 30];
    t.mock.method(Date, 'now', () => times.shift() ?? 40);
    await Promise.all([1, 2, 3, 4].map((n) => mailer.send({ ...MAIL, subject: `mail ${n}` })));
    const names = (await readdir(outboxDir)).sort();
    const mails = await Promise.all(names.map((name) => readFile(path.join(outboxDir, name), 'utf8')));
    assert.deepEqual(
      mails.map((mail) => /^Subject: (.*?)\r?$/m.exec(mail)?.[1]),
      ['mail 1', 'mail 2', 'mail 3', 'mail 4'],
    );
  } finally {
    await rm(outboxDir, { recursive: true });
  }
});
