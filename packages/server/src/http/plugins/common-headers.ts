import type { FastifyReply } from 'fastify';
import { API_VERSION } from '@guise/contract/ai-tasks/api-version.ts';

/**
 * Security headers for JSON answers: a browser must not run, frame, guess the type of or cache
 * them.
 */
const HEADERS: Record<string, string> = {
  'api-version': API_VERSION,
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/**
 * Sets the headers of every answer, including errors and unknown routes
 * (docs/spec/details#request-id, docs/spec/ai-tasks#versioning).
 */
export function setCommonHeaders(requestId: string, reply: FastifyReply): void {
  reply.header('x-request-id', requestId);
  reply.headers(HEADERS);
}
