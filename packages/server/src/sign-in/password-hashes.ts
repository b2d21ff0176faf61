import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { type HashAsker, HashGate } from './hash-gate.ts';

/** scrypt of passwords; all of a process goes through one gate. */
export interface PasswordHashes {
  /** Hashes a password. @throws AppError RATE_LIMITED if too many wait already. */
  hash(password: string, asker: HashAsker): Promise<string>;
  /** Compares in constant time. @throws AppError RATE_LIMITED where too many wait already. */
  verify(hash: string, password: string, asker: HashAsker): Promise<boolean>;
}

export function createPasswordHashes(): PasswordHashes {
  const gate = new HashGate();
  return {
    hash: (password, asker) => gate.run(asker, () => hashPassword(password)),
    verify: (hash, password, asker) => gate.run(asker, () => verifyPassword({ hash, password })),
  };
}
