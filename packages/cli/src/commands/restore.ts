import path from 'node:path';
import { restoreBackup } from '@guise/server/backup/restore-backup.ts';
import { COMMAND_LINE, writeAudit } from '@guise/server/operator/audit.ts';
import { printResult } from '../console/print.ts';
import { openOwnMedia } from '../setup/own-media.ts';
import { withBareDatabase } from '../setup/with-database.ts';

interface RestoreOptions {
  readonly json?: true;
  readonly expect?: string;
}

export async function restoreCommand(dir: string, options: RestoreOptions): Promise<void> {
  const folder = path.resolve(dir);
  const storage = await openOwnMedia();
  const { createdAt, version, media, tables } = await withBareDatabase(async (db) => {
    const manifest = await restoreBackup({ db, storage, dir: folder, expectedSum: options.expect ?? null });
    const details = { createdAt: manifest.createdAt, version: manifest.version };
    await writeAudit(db.pool, COMMAND_LINE, null, { action: 'backup.restore', details });
    return manifest;
  });
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  printResult(options, { dir: folder, createdAt, version, rows, media }, [
    `Restored ${rows} rows and ${media.kept === 'here' ? media.files : 'no'} media files as they were on ${createdAt}.`,
    'Now start guise with the same GUISE_DATA_DIR and DATABASE_URL.',
  ]);
}
