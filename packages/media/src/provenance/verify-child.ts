import { answerParent } from '../isolated-child.ts';
import type { VerifyRequest } from './verify-isolated.ts';
import { verifyFile } from './verify.ts';

/** The forked side of `verifyFileIsolated`. */
answerParent(({ filePath, contentType, options }: VerifyRequest) =>
  verifyFile(filePath, contentType, options),
);
