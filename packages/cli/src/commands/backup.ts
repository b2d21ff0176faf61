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
    `The backup is in ${folder}: ${rows} rows of ${tables.length} tables.`,
    media.kept === 'here'
      ? `It contains ${media.files} media files (${media.bytes} bytes). ${media.gone} others expired and were deleted meanwhile.`
      : `${media.files} media files stay in the bucket. media.txt lists them.`,
    `Its checksum is ${sum}. Write it down somewhere else: \`guise restore --expect SUM\` refuses any other folder.`,
    'The folder contains secrets. Only you should be able to read it.',
  ]);
}
