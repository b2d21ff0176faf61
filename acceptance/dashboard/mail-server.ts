import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

const LIMIT_MS = 60_000;

export interface MailServer {
  /** Value for `GUISE_SMTP_URL`. */
  readonly url: string;
  /** The link of the next mail to this address that nobody took yet. */
  nextLink(to: string): Promise<string>;
  close(): Promise<void>;
}

/** A real SMTP server on loopback that keeps what it is given. */
export async function startMailServer(): Promise<MailServer> {
  const links: { readonly to: string; readonly link: string }[] = [];
  let arrived = Promise.withResolvers<void>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    async onData(stream, { envelope }, done) {
      const link = /https?:\/\/\S+#\w+=\S+/.exec(decodeQuotedPrintable(await text(stream)))?.[0] ?? '';
      for (const { address } of envelope.rcptTo) links.push({ to: address, link });
      arrived.resolve();
      arrived = Promise.withResolvers();
      done();
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    async nextLink(to) {
      const late = AbortSignal.timeout(LIMIT_MS);
      for (;;) {
        const at = links.findIndex((each) => each.to === to);
        if (at >= 0) return links.splice(at, 1)[0]!.link;
        await Promise.race([arrived.promise, once(late, 'abort')]);
        if (late.aborted) throw new Error(`no mail to ${to}`);
      }
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}

function decodeQuotedPrintable(mail: string): string {
  return mail
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
