import { DataTable } from './data-table.tsx';

/** Shows a small object as rows of name and value. Nested values are named by their path. */
export function Facts({ name, of }: { name: string; of: Record<string, unknown> }) {
  return (
    <DataTable
      name={name}
      empty="There is none."
      head={['Name', 'Value']}
      rows={flatten(of).map(([key, value]) => ({ key, cells: [key, value] }))}
    />
  );
}

/** Formats a small object as one line of names and values, without empty ones. */
export function factsLine(of: Record<string, unknown>): string {
  const filled = flatten(of).filter(([, value]) => value !== '');
  return filled.map(([name, value]) => `${name} ${value}`).join(', ') || '-';
}

function flatten(value: unknown, path = ''): [name: string, value: string][] {
  if (value !== null && typeof value === 'object') {
    return Object.entries(value).flatMap(([key, each]) =>
      flatten(each, path === '' ? words(key) : `${path}, ${words(key)}`),
    );
  }
  return [[path, typeof value === 'number' ? String(Math.round(value * 1000) / 1000) : String(value ?? '-')]];
}

/**
 * Converts a key to words: `requestsPerDay` -> `requests per day`, `faceBox0` -> `face box 0`. A
 * key that is only an index is counted from 1.
 */
function words(key: string): string {
  if (/^\d+$/.test(key)) return String(Number(key) + 1);
  return key.replaceAll('_', ' ').replace(/[A-Z]|\d+/g, (part) => ` ${part.toLowerCase()}`);
}
