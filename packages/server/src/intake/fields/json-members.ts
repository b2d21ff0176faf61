import { invalidField } from '@guise/contract/errors.ts';

/** Rules for a field whose text is a JSON object. */
export interface MemberRules {
  readonly allowed: readonly string[];
  /** Example of an object for error messages. */
  readonly example: string;
}

/** Largest number of characters of an unknown or repeated name that an error message shows. */
const MAX_SHOWN_LENGTH = 64;

/**
 * Parses a JSON object of known members.
 * @throws AppError INVALID_REQUEST naming the field and the member.
 */
export function readMembers(
  name: string,
  text: string,
  { allowed, example }: MemberRules,
): Record<string, unknown> {
  const members = parseObject(name, text, example);
  const doubled = doubledMember(text);
  if (doubled !== null) throw invalidField(name, `has the member ${shown(doubled)} twice.`);
  for (const member of Object.keys(members)) {
    if (!allowed.includes(member)) throw invalidField(name, `has an unknown member ${shown(member)}.`);
  }
  return members;
}

/**
 * Requires members to be numbers.
 * @throws AppError INVALID_REQUEST naming the field and the member.
 */
export function requireNumbers<Member extends string>(
  name: string,
  members: Readonly<Record<string, unknown>>,
  wanted: readonly Member[],
): Record<Member, number> {
  for (const member of wanted) {
    // JavaScript parses the JSON number 1e999 as Infinity.
    if (!Number.isFinite(members[member])) throw invalidField(name, `needs a number ${member}.`);
  }
  return members as Record<Member, number>;
}

function parseObject(name: string, text: string, example: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidField(name, `must be a JSON object like ${example}.`);
  }
  return value as Record<string, unknown>;
}

/**
 * Returns the first member name that occurs twice; null if there is none. `JSON.parse` would
 * silently keep the last one. @param text of an object that `JSON.parse` accepts.
 */
function doubledMember(text: string): string | null {
  const seen = new Set<string>();
  let depth = 0;
  for (const [token, string, colon] of text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\]]/g)) {
    if (string === undefined) depth += token === '{' || token === '[' ? 1 : -1;
    if (colon === undefined || depth > 1) continue;
    const member = JSON.parse(string!) as string;
    if (seen.has(member)) return member;
    seen.add(member);
  }
  return null;
}

function shown(member: string): string {
  return JSON.stringify(member.slice(0, MAX_SHOWN_LENGTH));
}
