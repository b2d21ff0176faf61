import { answerParent } from '../isolation/isolated-child.ts';
import { configuredSharp } from '../image/sharp.ts';
import { loadNodeAv } from '../video/node-av.ts';
import { CredentialsThread } from './read-credentials.ts';
import type { VerifyRequest } from './verify-isolated.ts';
import { verifyFile } from './verify.ts';

// The child process of `verifyFileIsolated`. The thread must load its code before the process gives
// up its rights.
const thread = CredentialsThread.start();
// The code that awaits the thread reports its error.
thread.catch(() => {});
await answerParent(
  ({ filePath, contentType, options }: VerifyRequest) =>
    verifyFile(filePath, contentType, { ...options, thread }),
  // The imports have loaded sharp; this call configures it.
  [() => thread, () => Promise.resolve(configuredSharp()), loadNodeAv],
);
