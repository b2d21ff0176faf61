import { loadConfig } from '@guise/server/config/config.ts';
import { rotateSigning } from '@guise/server/signing/installation-signing.ts';
import { printResult } from '../console/print.ts';
import { withDatabase } from '../setup/with-database.ts';

export async function rotateSigningCommand(options: { readonly json?: true }): Promise<void> {
  const { serialNumber } = await withDatabase((db) => rotateSigning(loadConfig(), db.pool));
  printResult(options, { serialNumber }, [
    `New certificate: serial number ${serialNumber}.`,
    'Workers sign with it within 20 seconds. Files signed before are recognised as before.',
  ]);
}
