import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readChain } from '@guise/server/operator/read-chain.ts';
import { requireFree, writeOutput } from '../setup/output-file.ts';
import { withDatabase } from '../setup/with-database.ts';

export async function exportAuditCommand({
  output,
  force,
}: {
  readonly output?: string;
  readonly force?: true;
}): Promise<void> {
  if (output === undefined) return writeEntries(process.stdout, { end: false });
  const options = { output, ...(force && { force }) };
  await requireFree(options);
  // The entries contain addresses of people.
  await writeOutput(options, (made) => writeEntries(createWriteStream(made, { mode: 0o600 }), { end: true }));
}

/** Writes all entries as JSON, one a line, oldest first. */
function writeEntries(to: NodeJS.WritableStream, options: { readonly end: boolean }): Promise<void> {
  return withDatabase((db) => {
    const lines = async function* (): AsyncGenerator<string> {
      for await (const entry of readChain(db)) yield `${JSON.stringify(entry)}\n`;
    };
    return pipeline(Readable.from(lines()), to, options);
  });
}
