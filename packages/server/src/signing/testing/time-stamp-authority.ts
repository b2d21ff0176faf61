import { execFile } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';

/** An answer over HTTP. */
interface AuthorityAnswer {
  /** Default: 200. */
  readonly status?: number;
  readonly body: Uint8Array;
}

/** A time stamp authority (RFC 3161) on this machine, for tests. */
export interface TimeStampAuthority {
  readonly url: string;
  /** Requests that it got. */
  readonly requests: Buffer[];
  /** Answer in place of a time stamp; null for a time stamp. */
  answer: ((stamp: Buffer) => AuthorityAnswer | 'hang') | null;
  close(): Promise<void>;
}

/** Configuration of `openssl ts`. */
const CONFIGURATION = `[tsa]
default_tsa = authority
[authority]
serial = serial
signer_digest = sha256
default_policy = 1.2.3.4
digests = sha256
ess_cert_id_alg = sha256
[extensions]
basicConstraints = critical,CA:FALSE
keyUsage = critical,digitalSignature
extendedKeyUsage = critical,timeStamping
`;

/** Makes a key and certificates in `parent`, and starts an authority that uses them. */
export async function startTimeStampAuthority(parent: string): Promise<TimeStampAuthority> {
  const folder = await mkdtemp(path.join(parent, 'authority-'));
  const openssl = (line: string) => promisify(execFile)('openssl', line.split(' '), { cwd: folder });
  await writeFile(path.join(folder, 'ts.cnf'), CONFIGURATION);
  await writeFile(path.join(folder, 'serial'), '01\n');
  const newKey = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes';
  await openssl(`req -x509 ${newKey} -keyout ca.key -out ca.pem -days 2 -subj /CN=Authority`);
  await openssl(`req ${newKey} -keyout tsa.key -out tsa.csr -subj /CN=Clock`);
  await openssl(
    'x509 -req -in tsa.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile ts.cnf -extensions extensions -out tsa.pem',
  );
  const requests: Buffer[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      requests.push(await buffer(request));
      await writeFile(path.join(folder, 'query.tsq'), requests.at(-1)!);
      await openssl(
        'ts -reply -config ts.cnf -queryfile query.tsq -signer tsa.pem -inkey tsa.key -chain ca.pem -out reply.tsr',
      );
      const stamp = await readFile(path.join(folder, 'reply.tsr'));
      const answer: AuthorityAnswer | 'hang' = authority.answer?.(stamp) ?? { body: stamp };
      if (answer === 'hang') return;
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/timestamp-reply' });
      response.end(answer.body);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const authority: TimeStampAuthority = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/stamp`,
    requests,
    answer: null,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return authority;
}
