import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

/**
 * Makes a function that returns what is wrong with a value, as a sentence that names the member, or
 * null. Nothing is converted.
 */
export function checkerOf(schema: TSchema): (value: unknown) => string | null {
  const compiled = Compile(schema);
  return (value) => {
    if (compiled.Check(value)) return null;
    const first = compiled.Errors(value)[0];
    const where = first?.instancePath.slice(1).replaceAll('/', '.') ?? '';
    // Message for a member that is not declared in a closed object.
    const what = first?.keyword === 'boolean' ? 'is unknown here' : (first?.message ?? 'is not valid');
    return `${where === '' ? 'The body' : where} ${what}.`;
  };
}
