import { askChild, type IsolationLimits } from '../isolation/isolated-child.ts';
import type { FileVerdict, VerifyOptions } from './verify.ts';

export interface VerifyRequest {
  filePath: string;
  contentType: string;
  options: Omit<VerifyOptions, 'thread'>;
}

/** c2pa-wasm may take 512 MiB (`MAX_MEMORY_BYTES`), and the process around it about 150. */
const LIMITS: IsolationLimits = { timeoutMs: 30_000, maxMemoryBytes: 1024 * 1024 * 1024 };
const CHILD = new URL('./verify-child.ts', import.meta.url);

/**
 * `verifyFile` in a child of its own: for a process that has other things to do than to read a
 * stranger's file.
 * @throws MediaError as `verifyFile`, and as `askChild`.
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
  return askChild(CHILD, request, { ...LIMITS, ...isolation }, words, signal);
}
