import path from 'node:path';
import { writeBackup } from '@guise/server/backup/write-backup.ts';
import { printResult } from '../console/print.ts';
import { openOwnMedia } from '../setup/own-media.ts';
import { withDatabase } from '../setup/with-database.ts';

export async function backupCommand(dir: string, options: { readonly json?: true }): Promise<void> {
  const folder = path.resolve(dir);
  const storage = await openOwnMedia();
  const { tables, media, createdAt, sum } = await withDatabase((db) =>
    writeBackup({ db, storage, dir: folder }),
  );
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  printResult(options, { dir: folder, createdAt, tables: tables.length, rows, media, sum }, [
    `Backed up ${rows} rows of ${tables.length} tables to ${folder}.`,
    media.kept === 'here'
      ? `${media.files} media files, ${media.bytes} bytes; ${media.gone} more were deleted meanwhile, as they were due.`
      : `${media.files} media files stay in the bucket; media.txt lists them.`,
    `Its sum is ${sum}: keep that elsewhere, and \`guise restore --expect SUM\` takes no other folder.`,
    'The folder holds secrets: keep it where only you can read it.',
  ]);
}
