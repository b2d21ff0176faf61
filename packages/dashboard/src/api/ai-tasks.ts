import type { AccessTokenBody } from '@guise/contract/account/own.ts';
import { account, ApiError, reach, readAnswer } from './account.ts';

export interface Face {
  faceIndex: number;
  x: number;
  y: number;
  width: number;
  height: number;
}
export interface Quote {
  requiredCredits?: number;
  estimatedCredits?: number;
  faces: Record<string, Face[]>;
  warnings: { field: string; code: string; message: string }[];
}
export interface Output {
  index: number;
  url: string;
  contentType: string;
  width: number;
  height: number;
}
export interface SwapTask {
  id: string;
  status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
  costCredits: number;
  result: null | {
    progress?: number;
    outputs?: Output[];
    failures?: { index: number; message: string }[];
    error?: { code: string; message: string };
    receipt?: Record<string, unknown>;
  };
}

/** A token made this very moment is refused for one reason only. */
const NOT_FROM_HERE =
  'This account works from certain addresses only, and this is none of them: see the IP allowlist under API settings.';

/** Stays in this page's memory: the session's cookie never authenticates the task interface. */
let token: string | null = null;

export function forgetToken(): void {
  token = null;
}

async function send<T>(method: string, path: string, form?: FormData, signal?: AbortSignal): Promise<T> {
  for (let isRetry = false; ; isRetry = true) {
    token ??= (await account<AccessTokenBody>('POST', 'token')).token;
    const response = await reach(path, {
      method,
      credentials: 'omit',
      headers: { authorization: `Bearer ${token}` },
      ...(form ? { body: form } : {}),
      ...(signal ? { signal } : {}),
    });
    if (response.status === 401 && isRetry) throw new ApiError(401, { error: NOT_FROM_HERE });
    if (response.status !== 401) return readAnswer<T>(response);
    token = null;
  }
}

/** Any request of either interface, by `key` or, without one, by this session's token. */
export async function sendAnything(
  method: string,
  path: string,
  request: { key: string; headers: Record<string, string>; body: FormData | string | null },
): Promise<Response> {
  if (request.key === '') token = (await account<AccessTokenBody>('POST', 'token')).token;
  const authorization = `Bearer ${request.key || token}`;
  return reach(path, {
    method: method.toUpperCase(),
    credentials: 'omit',
    headers: { ...request.headers, authorization },
    body: request.body,
  });
}

export interface Verification {
  marked: boolean;
  credentials: { valid: boolean; signer: string | null } | null;
}

export function verifyFile(file: File): Promise<Verification> {
  const form = new FormData();
  form.set('file', file);
  return send('POST', '/api/ai-tasks/verify', form);
}

export function detectFaces(image: File, signal: AbortSignal): Promise<{ faces: Face[] }> {
  const form = new FormData();
  form.set('image', image);
  return send('POST', '/api/ai-tasks/detect-faces', form, signal);
}

export function quote(path: string, form: FormData, signal: AbortSignal): Promise<Quote> {
  return send('POST', `${path}?dryRun=true`, form, signal);
}

export function createTask(path: string, form: FormData): Promise<{ taskId: string }> {
  return send('POST', path, form);
}

export function readTask(path: string, taskId: string): Promise<SwapTask> {
  return send('GET', `${path}?taskId=${taskId}`);
}

export function cancelTask(path: string, taskId: string): Promise<SwapTask> {
  return send('DELETE', `${path}?taskId=${taskId}`);
}

/** Result links are absolute; on this origin they load wherever on this machine the page was opened. */
export function localLink(url: string): string {
  const { pathname, search } = new URL(url, location.href);
  return pathname + search;
}
