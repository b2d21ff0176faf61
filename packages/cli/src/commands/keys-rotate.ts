import { loadConfig } from '@guise/server/config/config.ts';
import type { Database } from '@guise/server/db/database.ts';
import { isSecretName, rotateKey } from '@guise/server/keys/rotate-key.ts';
import { COMMAND_LINE, writeAudit } from '@guise/server/operator/audit.ts';
import { rotateEncryption } from '@guise/server/signing/rotate-encryption.ts';
import { printResult } from '../console/print.ts';
import { withDatabase } from '../setup/with-database.ts';

interface Options {
  readonly urgent?: true;
  readonly json?: true;
}

export async function rotateKeyCommand(name: string, options: Options): Promise<void> {
  if (!isSecretName(name)) return await rotateEncryptionCommand(options);
  const isUrgent = options.urgent === true;
  const { signsFrom, formerUntil } = await withDatabase(async (db) => {
    const rotation = await rotateKey(db.pool, name, isUrgent);
    await logRotation(db, { name, urgent: isUrgent });
    return rotation;
  });
  printResult(options, { name, signsFrom, formerUntil }, [
    `New ${name} key: it signs from ${signsFrom.toISOString()}, on every machine within 20 seconds.`,
    formerUntil === null
      ? 'Everything that the old key signed becomes invalid on every machine within 20 seconds.'
      : `Everything that the old key signed stays valid until it expires. The old key is deleted at ${formerUntil.toISOString()}.`,
  ]);
}

async function rotateEncryptionCommand(options: Options): Promise<void> {
  if (options.urgent)
    throw new Error('--urgent does not apply to the encryption key: no link and no session depends on it.');
  const isEncrypted = await withDatabase(async (db) => {
    const hasKey = await rotateEncryption(loadConfig(), db.pool);
    if (hasKey) await logRotation(db, { name: 'encryption' });
    return hasKey;
  });
  printResult(options, { name: 'encryption', isEncrypted }, [
    isEncrypted
      ? 'The signing key in the database is encrypted with GUISE_ENCRYPTION_KEY; GUISE_PREVIOUS_ENCRYPTION_KEY can go.'
      : 'There is no signing key in the database yet.',
  ]);
}

function logRotation(db: Database, details: Record<string, unknown>): Promise<void> {
  return writeAudit(db.pool, COMMAND_LINE, null, { action: 'installation-key.rotate', details });
}
