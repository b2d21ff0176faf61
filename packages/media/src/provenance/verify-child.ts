import { answerParent } from '../isolation/isolated-child.ts';
import { CredentialsThread } from './read-credentials.ts';
import type { VerifyRequest } from './verify-isolated.ts';
import { verifyFile } from './verify.ts';

// The forked side of `verifyFileIsolated`. The thread is there before the rights are gone, and with
// them its code.
const thread = CredentialsThread.start();
// Whoever reads with it is told of an error.
thread.catch(() => {});
await answerParent(
  ({ filePath, contentType, options }: VerifyRequest) =>
    verifyFile(filePath, contentType, { ...options, thread }),
  [() => thread],
);
