import { randomBytes } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PUBLIC_VERIFY_FORM } from '@guise/contract/ai-tasks/forms.ts';
import type { HttpDeps } from '../common/deps.ts';

/** Media types by file extension. */
const CONTENT_TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.jpg': 'image/jpeg',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** Random bytes of a nonce. */
const NONCE_BYTES = 16;
/** Text in the built page that is replaced by the nonce. */
const NONCE_MARK = '__CSP_NONCE__';
/**
 * Paths that never return the dashboard's page, because programs that make a mistake there expect
 * JSON.
 */
const OTHERS = /^\/(account|api|v1|files|livez|readyz|metrics)(\/|$)/;
/** Allowed paths of built files: no hidden files and no path to a parent folder. */
const FILE_PATH = /^(\/[\w-]+(\.[\w-]+)*)+$/;

/** Headers of the page and its files, in addition to the content security policy. */
const PAGE_HEADERS: Record<string, string> = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Page for an installation without a built dashboard. */
const UNBUILT_PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>guise</title>
<h1>The dashboard is not built</h1>
<p>The service itself is running. Build the dashboard once with <code>npm run build</code>, then load this page again.</p>
</html>
`;

/**
 * Serves the files of the built dashboard, and its page for every other path that a browser opens.
 */
export function addDashboardRoutes(app: FastifyInstance, { config }: HttpDeps): void {
  // Links to results have this origin, even if the page was opened under another name of this
  // machine.
  const { origin } = new URL(config.publicUrl);
  app.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    handler: async (request, reply) => {
      const pathname = request.url.split('?', 1)[0]!;
      const isOff = pathname === PUBLIC_VERIFY_FORM.path && !config.publicVerify;
      if (isOff || OTHERS.test(pathname)) return reply.callNotFound();
      if (await sendFile(config.dashboardDir, pathname, request, reply)) return reply;
      // A browser that opens a page accepts text/html. Other clients get a 404 for unknown paths.
      const { accept = '' } = request.headers;
      if (path.extname(pathname) !== '' || !accept.includes('text/html')) {
        return reply.callNotFound();
      }
      return sendPage(config.dashboardDir, origin, request, reply);
    },
  });
}

async function sendFile(
  dir: string,
  pathname: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const contentType = CONTENT_TYPES[path.extname(pathname)];
  if (contentType === undefined || !FILE_PATH.test(pathname)) return false;
  const plain = path.join(dir, pathname);
  const [file, found] = (await compressedFile(plain, request, reply)) ?? [plain, await statFile(plain)];
  if (found === null) return false;
  reply.headers(PAGE_HEADERS).header('content-type', contentType).header('content-length', found.size);
  // Vite names these files by a hash of their content.
  const isImmutable = pathname.startsWith('/assets/');
  reply.header('cache-control', isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache');
  // If an SVG file is opened directly, its scripts must not run.
  reply.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox");
  reply.send(request.method === 'HEAD' ? undefined : createReadStream(file));
  return true;
}

/** Names and endings of the encodings in which the build writes scripts and styles, best first. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** Finds a compressed file that the client accepts, and sets the headers for it. */
async function compressedFile(
  plain: string,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): Promise<[file: string, found: Stats] | null> {
  const accepted = headers['accept-encoding'] ?? '';
  for (const [encoding, ending] of ENCODINGS) {
    const found = await statFile(plain + ending);
    if (found === null) return null;
    reply.header('vary', 'accept-encoding');
    if (!new RegExp(`\\b${encoding}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`).test(String(accepted))) continue;
    reply.header('content-encoding', encoding);
    return [plain + ending, found];
  }
  return null;
}

async function statFile(file: string): Promise<Stats | null> {
  const found = await stat(file).catch(() => null);
  return found?.isFile() ? found : null;
}

async function sendPage(
  dir: string,
  origin: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const built = await readFile(path.join(dir, 'index.html'), 'utf8').catch(() => null);
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  const page = (built ?? UNBUILT_PAGE).replaceAll(NONCE_MARK, nonce);
  reply
    .headers(PAGE_HEADERS)
    .code(built === null ? 503 : 200)
    .header('cache-control', 'no-store')
    .header('content-security-policy', policyWith(nonce, origin))
    .header('content-length', Buffer.byteLength(page))
    .type('text/html; charset=utf-8');
  return reply.send(request.method === 'HEAD' ? undefined : page);
}

/**
 * Allows scripts only from our own files. Styles may be our files, style elements with this page's
 * nonce (from Mantine), and style attributes.
 */
function policyWith(nonce: string, origin: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    `img-src 'self' ${origin} data: blob:`,
    `media-src 'self' ${origin} blob:`,
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self' blob:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
