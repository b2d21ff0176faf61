import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { HttpDeps } from '../common/deps.ts';

/** Media types by the extension of a built file. */
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
/** Text in the built page in whose place the nonce goes. */
const NONCE_MARK = '__CSP_NONCE__';
/** Never pages of the app: a program that errs there wants its JSON. */
const OTHERS = /^\/(account|api|v1|files|livez|readyz|metrics)(\/|$)/;
/**
 * Names of files that exist in the build: no dots but before the extension, no way up, no hidden
 * ones.
 */
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

/** Page for an installation whose dashboard was not built. */
const UNBUILT_PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>guise</title>
<h1>The dashboard is not built</h1>
<p>The service itself is running. Build the dashboard once with <code>npm run build</code>, then load this page again.</p>
</html>
`;

/** The built dashboard: its files, and its page for every path that a browser goes to. */
export function addDashboardRoutes(app: FastifyInstance, { config }: HttpDeps): void {
  // Links to results name it, wherever on this machine the page itself was opened.
  const { origin } = new URL(config.publicUrl);
  app.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    handler: async (request, reply) => {
      const pathname = request.url.split('?', 1)[0]!;
      if (OTHERS.test(pathname)) return reply.callNotFound();
      if (await sendFile(config.dashboardDir, pathname, request, reply)) return reply;
      // Browsers that go somewhere say so; a program that asks for a path of its own invention gets
      // its 404.
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
  const file = path.join(dir, pathname);
  const found = await stat(file).catch(() => null);
  if (found === null || !found.isFile()) return false;
  reply.headers(PAGE_HEADERS).header('content-type', contentType).header('content-length', found.size);
  // Of vite's own making, named by a hash of their content.
  const isImmutable = pathname.startsWith('/assets/');
  reply.header('cache-control', isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache');
  // A picture with scripts in it, opened by itself, runs none.
  reply.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox");
  reply.send(request.method === 'HEAD' ? undefined : createReadStream(file));
  return true;
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
 * Scripts from our own files only. Styles: those, elements with this page's nonce (Mantine's), and
 * attributes.
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
