import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { type HashAsker, HashGate } from './hash-gate.ts';

/** scrypt hashes of passwords. All hashes of a process go through one gate. */
export interface PasswordHashes {
  /** Hashes a password. @throws AppError RATE_LIMITED if too many hashes are waiting. */
  hash(password: string, asker: HashAsker): Promise<string>;
  /** Compares in constant time. @throws AppError RATE_LIMITED if too many hashes are waiting. */
  verify(hash: string, password: string, asker: HashAsker): Promise<boolean>;
}

export function createPasswordHashes(): PasswordHashes {
  const gate = new HashGate();
  return {
    hash: (password, asker) => gate.run(asker, () => hashPassword(password)),
    verify: (hash, password, asker) => gate.run(asker, () => verifyPassword({ hash, password })),
  };
}
