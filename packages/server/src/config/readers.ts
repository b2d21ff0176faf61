import { ENGINE_ID } from '@guise/contract/engines.ts';
import { type Plan, PLANS } from '@guise/contract/plans.ts';

/** Parser of the text of an environment variable. */
export interface Reader<T> {
  /**
   * Rule for the text, as shown by the error and by docs/configuration.md; null if any text is
   * valid.
   */
  readonly rule: string | null;
  /** Returns undefined for a text that breaks the rule. */
  readonly parse: (text: string) => T | undefined;
  /** Whether the error quotes the text. Must not be set if the text may contain a password. */
  readonly isQuoted?: boolean;
}

/** Takes any text. */
export const ANY_TEXT: Reader<string> = { rule: null, parse: (text) => text };

/** Takes a list separated by commas. */
export const LIST: Reader<string[]> = {
  rule: null,
  parse: (text) =>
    text
      .split(',')
      .map((each) => each.trim())
      .filter(Boolean),
};

/** Takes an http or https URL, and removes slashes at its end. */
export const HTTP_URL: Reader<string> = {
  rule: 'must be an http or https URL',
  parse: (text) => (URL.canParse(text) && /^https?:/.test(text) ? text.replace(/\/+$/, '') : undefined),
};

/** Takes origins of web pages, such as `https://shop.example`, separated by commas. */
export const ORIGINS: Reader<readonly string[]> = {
  rule: 'must be a list of origins such as https://shop.example, separated by commas',
  parse: (text) => {
    const origins = text.split(',').map((each) => each.trim());
    return origins.every((each) => /^https?:/.test(each) && URL.parse(each)?.origin === each)
      ? origins
      : undefined;
  },
  isQuoted: true,
};

/** Takes the URL of a receiver: http or https, without a user name and password. */
export const RECEIVER_URL: Reader<string> = {
  rule: 'must be an http or https URL without a user name and password',
  parse: (text) => {
    const url = URL.parse(text);
    const isPlain = url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password;
    return isPlain ? text : undefined;
  },
};

/** Takes a secret of Standard Webhooks. */
export const WEBHOOK_SECRET: Reader<string> = {
  rule: 'must be `whsec_` and 24 to 64 random bytes in base64',
  parse: (text) => {
    const bytes = Buffer.from(text.replace(/^whsec_/, ''), 'base64');
    const isWhole = text === `whsec_${bytes.toString('base64')}`;
    return isWhole && bytes.length >= 24 && bytes.length <= 64 ? text : undefined;
  },
};

/** Takes the URL of a PostgreSQL. */
export const POSTGRES_URL = matching(/^postgres(ql)?:\/\//, 'must be a postgres:// URL');

/** Takes the URL of a mail server. */
export const SMTP_URL: Reader<string> = {
  rule: 'must be an smtp:// or smtps:// URL',
  parse: (text) => (URL.canParse(text) && /^smtps?:\/\//.test(text) ? text : undefined),
};

/** Takes the name of a bucket. */
export const BUCKET_NAME = matching(
  /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
  'must be the name of a bucket: 3 to 63 of a-z, 0-9, "." and "-"',
);

function matching(pattern: RegExp, rule: string): Reader<string> {
  return { rule, parse: (text) => (pattern.test(text) ? text : undefined) };
}

export function longText(minLength: number): Reader<string> {
  return {
    rule: `must have ${minLength} characters or more`,
    parse: (text) => (text.length < minLength ? undefined : text),
  };
}

export function wholeNumber(min: number, max: number): Reader<number> {
  return {
    rule: `must be a whole number from ${min} to ${max}`,
    parse: (text) => {
      const value = Number(text);
      return Number.isSafeInteger(value) && value >= min && value <= max ? value : undefined;
    },
    isQuoted: true,
  };
}

/** Takes a number with a decimal point. */
export function decimal(min: number, max: number): Reader<number> {
  return {
    rule: `must be a number from ${min} to ${max}`,
    parse: (text) => {
      const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
      return value >= min && value <= max ? value : undefined;
    },
    isQuoted: true,
  };
}

export function oneOf<T extends string>(...allowed: readonly T[]): Reader<T> {
  return {
    rule: `must be one of ${allowed.join(', ')}`,
    parse: (text) => allowed.find((each) => each === text),
    isQuoted: true,
  };
}

/** Takes a list of words, separated by commas. */
export function listOfSome<T extends string>(...allowed: readonly T[]): Reader<readonly T[]> {
  return {
    rule: `must be a list of ${allowed.join(', ')}, separated by commas`,
    parse: (text) => {
      const words = text.split(',').map((word) => allowed.find((each) => each === word.trim()));
      return words.every((word) => word !== undefined) ? words : undefined;
    },
    isQuoted: true,
  };
}

/** Takes `optional` (nobody), `required` (everybody), or a list of plans, separated by commas. */
export const WHOSE_CONSENT: Reader<readonly Plan[]> = {
  rule: `must be optional, required, or a list of ${PLANS.join(', ')}, separated by commas`,
  parse: (text) =>
    text === 'optional' ? [] : text === 'required' ? PLANS : listOfSome(...PLANS).parse(text),
  isQuoted: true,
};

/** Takes a value for each of some engines: `NAME=VALUE`, separated by commas. */
export function valueOfEngines<T>(value: Reader<T>): Reader<ReadonlyMap<string, T>> {
  return {
    rule: `must be a list such as NAME=VALUE,NAME=VALUE, where each value ${value.rule}`,
    parse: (text) => {
      const pairs = text.split(',').map((pair) => {
        const [name = '', written = ''] = pair.split('=', 2).map((each) => each.trim());
        return [name, ENGINE_ID.test(name) ? value.parse(written) : undefined] as const;
      });
      return pairs.every((pair): pair is [string, T & {}] => pair[1] !== undefined)
        ? new Map<string, T>(pairs)
        : undefined;
    },
    isQuoted: true,
  };
}

/** Takes the name of an engine. */
export const ENGINE = matching(ENGINE_ID, 'must be the name of an engine');

/** Takes names of engines, separated by commas. */
export const ENGINES: Reader<readonly string[]> = {
  rule: 'must be a list of names of engines, separated by commas',
  parse: (text) => {
    const names = text.split(',').map((name) => name.trim());
    return names.every((name) => ENGINE_ID.test(name)) ? names : undefined;
  },
  isQuoted: true,
};

/** Takes one limit for each name, in order. 0 means no limit and becomes null. */
export function limitOfEach<T extends string>(names: readonly T[]): Reader<Record<T, number | null>> {
  return {
    rule: `must be ${names.length} whole numbers, for ${names.join(', ')} (0: no limit)`,
    parse: (text) => {
      const texts = text.split(',');
      if (texts.length !== names.length || !texts.every((each) => /^\s*\d{1,7}\s*$/.test(each)))
        return undefined;
      const limits = names.map((name, index) => [name, Number(texts[index]) || null]);
      return Object.fromEntries(limits) as Record<T, number | null>;
    },
    isQuoted: true,
  };
}
