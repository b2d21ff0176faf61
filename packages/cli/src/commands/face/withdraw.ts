import { withdrawFace } from '@guise/server/faces/withdraw-face.ts';
import { COMMAND_LINE, writeAudit } from '@guise/server/operator/audit.ts';
import { loadConfig } from '@guise/server/config/config.ts';
import { dataDirLayout } from '@guise/server/config/data-dir.ts';
import { openStorage } from '@guise/server/storage/open-storage.ts';
import { printResult } from '../../console/print.ts';
import { withDatabase } from '../../setup/with-database.ts';

/** Withdraws the consent to use a saved face, for a person who asked the operator. */
export async function withdrawFaceCommand(id: string, options: { readonly json?: true }): Promise<void> {
  const config = loadConfig();
  const storage = await openStorage(config, dataDirLayout(config.dataDir).media);
  const withdrawal = await withDatabase(async (db) => {
    const { rowCount } = await db.pool.query('select from faces where id::text = $1', [id]);
    if (rowCount === 0) throw new Error(`No account has a saved face with the id ${id}.`);
    const done = await withdrawFace({ database: db, storage }, id);
    await writeAudit(db.pool, COMMAND_LINE, null, { action: 'face.withdraw', details: { id, ...done } });
    return done;
  });
  const { endedTasks, deletedOutputs } = withdrawal;
  printResult(options, { id, ...withdrawal }, [
    `The face cannot be used any more. Its photos are deleted. ${endedTasks} unfinished tasks failed, and ${deletedOutputs} results were deleted.`,
  ]);
}
