import { loadConfig } from '@guise/server/config/config.ts';
import { COMMAND_LINE, writeAudit } from '@guise/server/operator/audit.ts';
import { rotateSigning } from '@guise/server/signing/installation-signing.ts';
import { printResult } from '../console/print.ts';
import { withDatabase } from '../setup/with-database.ts';

export async function rotateSigningCommand(options: { readonly json?: true }): Promise<void> {
  const { serialNumber } = await withDatabase(async (db) => {
    const rotated = await rotateSigning(loadConfig(), db.pool);
    const details = { serialNumber: rotated.serialNumber };
    await writeAudit(db.pool, COMMAND_LINE, null, { action: 'signing-certificate.rotate', details });
    return rotated;
  });
  printResult(options, { serialNumber }, [
    `New certificate: serial number ${serialNumber}.`,
    'Workers sign with it within 20 seconds. Files signed before are recognised as before.',
  ]);
}
