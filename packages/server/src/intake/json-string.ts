import { AppError } from '@guise/contract/errors.ts';

/** @param raw a JSON string's inside, as sent. @throws AppError INVALID_REQUEST where it is not right JSON. */
export function decodeJsonString(raw: Uint8Array): string {
  try {
    return JSON.parse(
      `"${new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw)}"`,
    ) as string;
  } catch (error) {
    throw malformedJson(error);
  }
}

export function malformedJson(cause?: unknown): AppError {
  return new AppError('INVALID_REQUEST', 'The request body is not valid JSON, or ends too early.', {}, cause);
}

export function invalidRequest(message: string, limit?: number): AppError {
  return new AppError('INVALID_REQUEST', message, limit === undefined ? {} : { limit });
}
