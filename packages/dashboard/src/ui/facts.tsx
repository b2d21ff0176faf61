import { DataTable } from './data-table.tsx';

/** A small object as rows of name and value; what is nested is named by its path. */
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

/** Writes a small object as one line of names and values, without empty ones. */
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
 * Spells out a key: `requestsPerDay` -> `requests per day`, `faceBox0` -> `face box 0`; an index
 * counts from 1.
 */
export function words(key: string): string {
  if (/^\d+$/.test(key)) return String(Number(key) + 1);
  return key.replaceAll('_', ' ').replace(/[A-Z]|\d+/g, (part) => ` ${part.toLowerCase()}`);
}
