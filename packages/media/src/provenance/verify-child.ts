import { kernels } from '@guise/kernels/wasm/kernels.ts';
import { answerParent } from '../isolation/isolated-child.ts';
import { preloadHeifDecoder } from '../image/decode-heif.ts';
import { loadNodeAv } from '../video/node-av.ts';
import { CredentialsThread } from './read-credentials.ts';
import type { VerifyRequest } from './verify-isolated.ts';
import { verifyFile } from './verify.ts';

// The child process of `verifyFileIsolated`. The thread must load its code before the process gives
// up its rights, and so must the decoders.
const thread = CredentialsThread.start();
// The code that awaits the thread reports its error.
thread.catch(() => {});
await answerParent(
  ({ filePath, contentType, options }: VerifyRequest) =>
    verifyFile(filePath, contentType, { ...options, thread }),
  [() => thread, loadNodeAv, preloadHeifDecoder, () => Promise.resolve(kernels())],
);
