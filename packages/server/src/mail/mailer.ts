import { randomBytes } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTransport } from 'nodemailer';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  readonly kind: 'smtp' | 'outbox';
  /** Sends a mail. Resolves when the mail server has accepted it or it is on the disk. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** Longest wait for each step of the SMTP session. */
const SMTP_TIMEOUT_MS = 20_000;

/** Options that stop nodemailer from reading files or URLs that a mail names. */
const NO_OUTSIDE = { disableFileAccess: true, disableUrlAccess: true } as const;

export function createMailer(options: {
  readonly smtpUrl: string | null;
  readonly from: string;
  readonly outboxDir: string;
}): Mailer {
  return options.smtpUrl === null ? outboxMailer(options) : smtpMailer(options.smtpUrl, options.from);
}

function smtpMailer(url: string, from: string): Mailer {
  const transport = createTransport({
    url,
    connectionTimeout: SMTP_TIMEOUT_MS,
    greetingTimeout: SMTP_TIMEOUT_MS,
    socketTimeout: SMTP_TIMEOUT_MS,
    ...NO_OUTSIDE,
  });
  return {
    kind: 'smtp',
    async send({ to, subject, text }) {
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text });
    },
    close: () => transport.close(),
  };
}

/**
 * Makes a mailer that writes each mail to its own file, completely or not at all. Only the owner
 * can read the files, because mails contain sign-in links.
 */
function outboxMailer({ from, outboxDir }: { from: string; outboxDir: string }): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, ...NO_OUTSIDE });
  let latestMs = 0;
  return {
    kind: 'outbox',
    async send({ to, subject, text }) {
      // The name is chosen before the first `await`, and its time is later than that of the last
      // mail. So files sorted by name are in the order of sending.
      latestMs = Math.max(latestMs + 1, Date.now());
      const name = `${new Date(latestMs).toISOString().replaceAll(/[:.]/g, '-')}-${randomBytes(4).toString('hex')}`;
      const { message } = await transport.sendMail({ from, to: { name: '', address: to }, subject, text });
      await mkdir(outboxDir, { recursive: true, mode: 0o700 });
      const partial = path.join(outboxDir, `${name}.partial`);
      await writeFile(partial, message as Buffer, { flag: 'wx', mode: 0o600, flush: true });
      await rename(partial, path.join(outboxDir, `${name}.eml`));
    },
    close: () => transport.close(),
  };
}
