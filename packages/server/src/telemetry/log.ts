import pretty from 'pino-pretty';
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';

export type { Logger } from 'pino';

export interface LogOptions {
  /** A pino level, or `silent`. */
  readonly level: string;
  /** Process that writes the log: `api`, `worker`, `main`. */
  readonly name: string;
}

/** Names of fields whose values are never logged: keys, signatures of links and secrets. */
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'apiKey',
  'secret',
  'signature',
  'password',
  'token',
  'leaseToken',
];

/** Paths of `SECRET_FIELDS` in a logged object, at its top level and up to three levels below. */
const SECRET_PATHS = SECRET_FIELDS.flatMap((field) => [
  field,
  `*.${field}`,
  `*.*.${field}`,
  `*.*.*.${field}`,
]);

/**
 * Matches secrets inside texts: API keys, webhook secrets, signatures of links and passwords in
 * URLs.
 */
const SECRET_TEXT =
  /\bgsk_[A-Za-z0-9_-]{16,}|\bwhsec_[A-Za-z0-9+/=]{16,}|(?<=\bsignature=)[A-Za-z0-9_%.-]+|(?<=:\/\/[^\s:/@]*:)[^\s@/]+(?=@)/g;

/**
 * Makes a logger that writes without secrets to standard output or to `destination`: JSON lines,
 * but on a terminal short coloured lines.
 */
export function createLogger(options: LogOptions, destination?: DestinationStream): Logger {
  const settings = {
    level: options.level,
    base: { name: options.name },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: SECRET_PATHS, censor: '[redacted]' },
    serializers: { err: (error: Error) => redactDeep(stdSerializers.err(error)), url: redactUnknown },
    hooks: {
      logMethod(this: Logger, args: Parameters<Logger['info']>, method: (...all: unknown[]) => void) {
        method.apply(
          this,
          args.map((arg) => (typeof arg === 'string' ? redact(arg) : arg)),
        );
      },
    },
  };
  return pino(settings, destination ?? (process.stdout.isTTY ? forTerminal() : pino.destination()));
}

/** Makes the stream that writes short lines to the terminal. */
function forTerminal(): DestinationStream {
  return pretty({ sync: true, translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' });
}

/** Replaces the secrets in a text (see `SECRET_TEXT`) with `[redacted]`. */
export function redact(text: string): string {
  return text.replace(SECRET_TEXT, '[redacted]');
}

function redactUnknown(value: unknown): unknown {
  return typeof value === 'string' ? redact(value) : value;
}

/** Redacts the messages and stacks of an error and its causes. */
function redactDeep(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > 4) return redactUnknown(value);
  if (Array.isArray(value)) return value.map((each) => redactDeep(each, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, redactDeep(each, depth + 1)]));
}
