import path from 'node:path';
import { sealEmbedding } from '@guise/server/blocklist/blocklist.ts';
import { loadConfig } from '@guise/server/config/config.ts';
import { COMMAND_LINE } from '@guise/server/operator/audit.ts';
import { blockPerson } from '@guise/server/operator/change-blocklist.ts';
import { printResult } from '../../console/print.ts';
import { requireReadable } from '../../setup/output-file.ts';
import { withDatabase } from '../../setup/with-database.ts';
import { MAX_PIXELS, withEngine } from '../../setup/with-engine.ts';
import { withWorkspace } from '../../setup/workspace.ts';

interface Options {
  readonly name: string;
  readonly why: string;
  readonly json?: true;
}

/** Adds a person to the blocklist. Of the photo, only an encrypted embedding is kept. */
export async function addBlockedCommand(photo: string, { name, why, ...options }: Options): Promise<void> {
  await requireReadable(photo);
  const photos = [{ name: photo, path: path.resolve(photo) }];
  const { identities } = await withWorkspace(null, (workspace) =>
    withEngine(workspace, (engine) =>
      engine.run({ kind: 'check-face', photos, isAlone: true, maxPixels: MAX_PIXELS }),
    ),
  );
  const [embedding] = identities;
  if (embedding === undefined) throw new Error('The engine gave no answer.');
  const { id } = await withDatabase(async (db) =>
    blockPerson(db, COMMAND_LINE, { name, why }, await sealEmbedding(db.pool, loadConfig(), embedding)),
  );
  printResult(options, { id, name, why }, [
    `${name} is on the blocklist (${id}). Tasks with this face fail from now on. The photo was not stored.`,
  ]);
}
