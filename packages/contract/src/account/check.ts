import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

/**
 * Returns what is wrong with a value, as a sentence that names the member, or null. Converts
 * nothing.
 */
export function checkerOf(schema: TSchema): (value: unknown) => string | null {
  const compiled = Compile(schema);
  return (value) => {
    if (compiled.Check(value)) return null;
    const first = compiled.Errors(value)[0];
    const where = first?.instancePath.slice(1).replaceAll('/', '.') ?? '';
    // Wording for a member that a closed object does not have.
    const what = first?.keyword === 'boolean' ? 'is unknown here' : (first?.message ?? 'is not valid');
    return `${where === '' ? 'The body' : where} ${what}.`;
  };
}
