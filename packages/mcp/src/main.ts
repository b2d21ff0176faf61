import { Guise } from '@guise/client';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Folder } from './folder.ts';
import { makeServer } from './make-server.ts';

/** Time for which a request is sent again: whoever calls a tool waits for its answer. */
const PATIENCE_MS = 30_000;

const { GUISE_URL: url, GUISE_API_KEY: key, GUISE_MCP_FOLDER } = process.env;
const guise = new Guise({ ...(url && { url }), ...(key && { key }), patienceMs: PATIENCE_MS });
const folder = new Folder(GUISE_MCP_FOLDER || process.cwd());
const served = serveStdio(() => makeServer(guise, folder), { onerror: console.error });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => void served.close());
