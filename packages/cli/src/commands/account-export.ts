import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { exportAccount } from '@guise/server/privacy/export-account.ts';
import { requireAccount, withDatabase } from '../setup/with-database.ts';

interface Options {
  readonly email: string;
  readonly output?: string;
  readonly force?: true;
}

/** Writes everything that an account holds, but for its files, as one JSON object a line. */
export async function exportAccountCommand({ email, output, force }: Options): Promise<void> {
  await withDatabase(async (db) => {
    const { id } = await requireAccount(db, email);
    const lines = async function* (): AsyncGenerator<string> {
      for await (const record of exportAccount(db, id)) yield `${JSON.stringify(record)}\n`;
    };
    if (output === undefined) for await (const line of lines()) process.stdout.write(line);
    // Only the operator may read it: it holds names and consents.
    else
      await pipeline(
        Readable.from(lines()),
        createWriteStream(output, { flags: force ? 'w' : 'wx', mode: 0o600 }),
      );
  });
}
