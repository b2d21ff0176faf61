import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';

export type { Logger } from 'pino';

export interface LogOptions {
  /** A pino level, or `silent`. */
  readonly level: string;
  /** Process that writes: `api`, `worker`, `main`. */
  readonly name: string;
}

/**
 * Fields that are never written at any depth of a logged object: keys, signed links and secrets.
 */
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

/** Places of those fields in a log line, at the top and one level down. */
const SECRET_PATHS = SECRET_FIELDS.flatMap((field) => [
  field,
  `*.${field}`,
  `*.*.${field}`,
  `*.*.*.${field}`,
]);

/** API keys, webhook secrets, signatures of links, passwords in URLs: also inside of messages. */
const SECRET_TEXT =
  /\bgsk_[A-Za-z0-9_-]{16,}|\bwhsec_[A-Za-z0-9+/=]{16,}|(?<=\bsignature=)[A-Za-z0-9_%.-]+|(?<=:\/\/[^\s:/@]*:)[^\s@/]+(?=@)/g;

/** JSON lines on standard output (or `destination`). */
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
  return destination === undefined ? pino(settings) : pino(settings, destination);
}

/** Removes everything from a text that could open a door. */
export function redact(text: string): string {
  return text.replace(SECRET_TEXT, '[redacted]');
}

function redactUnknown(value: unknown): unknown {
  return typeof value === 'string' ? redact(value) : value;
}

/** Messages and stacks of an error and its causes. */
function redactDeep(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > 4) return redactUnknown(value);
  if (Array.isArray(value)) return value.map((each) => redactDeep(each, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, redactDeep(each, depth + 1)]));
}
