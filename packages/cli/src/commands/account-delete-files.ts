import { loadConfig } from '@guise/server/config/config.ts';
import { dataDirLayout } from '@guise/server/config/data-dir.ts';
import { COMMAND_LINE, writeAudit } from '@guise/server/operator/audit.ts';
import { deleteEverything } from '@guise/server/privacy/delete-everything.ts';
import { openStorage } from '@guise/server/storage/open-storage.ts';
import { printResult } from '../console/print.ts';
import { requireAccount, withDatabase } from '../setup/with-database.ts';

/** Deletes all files and saved faces of an account now, and cancels its unfinished tasks. */
export async function deleteFilesCommand({
  email,
  ...options
}: {
  readonly email: string;
  readonly json?: true;
}): Promise<void> {
  const config = loadConfig();
  const storage = await openStorage(config, dataDirLayout(config.dataDir).media);
  const receipt = await withDatabase(async (db) => {
    const account = await requireAccount(db, email);
    const { deletedAt: _now, ...details } = await deleteEverything({ database: db, storage }, account.id);
    await writeAudit(db.pool, COMMAND_LINE, account, { action: 'files.delete', details });
    return details;
  });
  const { deletedFiles, deletedBytes, deletedFaces, cancelledTasks } = receipt;
  printResult(options, receipt, [
    `Deleted ${deletedFiles} files (${deletedBytes} bytes) and ${deletedFaces} saved faces of ${email}, and cancelled ${cancelledTasks} tasks.`,
  ]);
}
