import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { TestApp } from './test-app.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // Tests read any part of the body.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

/** A browser as `/account` sees it: keeps both cookies, and sends the origin of its pages. */
export class Browser {
  readonly app: TestApp;
  /** Session cookie. */
  cookie = '';
  /** Device cookie. It is sent to every path; a real browser would send it to fewer. */
  device = '';

  constructor(app: TestApp) {
    this.app = app;
  }

  get = (url: string): Promise<Answer> => this.send('GET', url);
  post = (url: string, body?: unknown): Promise<Answer> => this.send('POST', url, body);
  patch = (url: string, body?: unknown): Promise<Answer> => this.send('PATCH', url, body);
  delete = (url: string, body?: unknown): Promise<Answer> => this.send('DELETE', url, body);

  async send(
    method: string,
    url: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const cookies = [this.cookie, this.device].filter((each) => each !== '').join('; ');
    const response = await fetch(this.app.url + url, {
      method,
      headers: {
        origin: this.app.deps.config.publicUrl,
        'sec-fetch-site': 'same-origin',
        ...(cookies === '' ? {} : { cookie: cookies }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const pair = /max-age=0/i.test(cookie) ? '' : cookie.split(';')[0]!;
      if (cookie.includes('guise.device=')) this.device = pair;
      else this.cookie = pair;
    }
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parse(text) };
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export interface ReadMail {
  readonly to: string;
  readonly subject: string;
  /** Token of the first link. */
  readonly token: string;
  readonly raw: string;
}

const DEADLINE_MS = 60_000;
const POLL_MS = 10;

/** Reads all mails in the outbox, oldest first. */
export async function readOutbox(app: TestApp): Promise<ReadMail[]> {
  await app.deps.signIn.settled();
  const names = (await readdir(app.outboxDir).catch(() => [])).filter((name) => name.endsWith('.eml')).sort();
  return Promise.all(
    names.map(async (name) => parseMail(await readFile(path.join(app.outboxDir, name), 'utf8'))),
  );
}

/** Returns the latest mail to an address. @throws if none arrives in time. */
export async function latestMail(app: TestApp, to: string): Promise<ReadMail> {
  const until = performance.now() + DEADLINE_MS;
  for (;;) {
    const found = (await readOutbox(app)).findLast((mail) => mail.to === to);
    if (found !== undefined) return found;
    if (performance.now() > until) throw new Error(`no mail to ${to}`);
    await delay(POLL_MS);
  }
}

/** Parses a mail in plain ASCII, like all our mails. Long lines are quoted-printable. */
export function parseMail(raw: string): ReadMail {
  const text = raw.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
  return {
    to: /^To: <?([^>\r\n]+)>?/m.exec(text)?.[1] ?? '',
    subject: /^Subject: (.+?)\r?$/m.exec(text)?.[1] ?? '',
    token: /#(?:token|invitation)=([\w-]+)/.exec(text)?.[1] ?? '',
    raw: text,
  };
}
