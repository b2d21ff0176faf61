import { askChild, type IsolationLimits } from '../isolation/isolated-child.ts';
import type { VerifyOptions } from './verify-credentials.ts';
import type { FileVerdict } from './verify.ts';

export interface VerifyRequest {
  filePath: string;
  contentType: string;
  options: Omit<VerifyOptions, 'thread'>;
}

/**
 * Limits of the child. c2pa-wasm may take 512 MiB (`MAX_MEMORY_BYTES`), and the process around it
 * takes about 150 MiB.
 */
const VERIFY_ISOLATION: IsolationLimits = { timeoutMs: 30_000, maxMemoryBytes: 1024 * 1024 * 1024 };

/** Program that the child runs. */
const VERIFY_CHILD_URL = new URL('./verify-child.ts', import.meta.url);

/**
 * Runs `verifyFile` in a child process, so that an untrusted file cannot harm or stall this one.
 * @throws MediaError as `verifyFile` and `askChild` do
 */
export function verifyFileIsolated(
  filePath: string,
  contentType: string,
  options: Omit<VerifyOptions, 'thread'> & {
    isolation?: Partial<IsolationLimits>;
    signal?: AbortSignal;
  } = {},
): Promise<FileVerdict> {
  const { isolation, signal, ...rest } = options;
  const request: VerifyRequest = { filePath, contentType, options: rest };
  const words = { file: 'The file', work: 'Reading the file' };
  return askChild(VERIFY_CHILD_URL, request, { ...VERIFY_ISOLATION, ...isolation }, words, signal);
}
