import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

/**
 * What is wrong with a value, as one sentence that names the member; null where nothing is.
 * Converts nothing.
 */
export function checkerOf(schema: TSchema): (value: unknown) => string | null {
  const compiled = Compile(schema);
  return (value) => {
    if (compiled.Check(value)) return null;
    const first = compiled.Errors(value)[0];
    const where = first?.instancePath.slice(1).replaceAll('/', '.') ?? '';
    // What a closed object says of a member it does not have.
    const what = first?.keyword === 'boolean' ? 'is unknown here' : (first?.message ?? 'is not valid');
    return `${where === '' ? 'The body' : where} ${what}.`;
  };
}
