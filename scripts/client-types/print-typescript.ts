import { wrapComments } from '../wrap-comments.ts';
import type { NamedType, Property, Shape } from './named-types.ts';

/** Prints types as a TypeScript module. */
export function printTypeScript(types: readonly NamedType[]): string {
  const text = types.map((type) => comment(type.description, '') + declaration(type)).join('\n');
  const page = `// Types of guise's interfaces, made from docs/openapi*.json by \`npm run client-types\`.\n\n${text}`;
  return wrapComments('api-types.ts', page);
}

function declaration({ name, properties, shape }: NamedType): string {
  if (properties === undefined) return `export type ${name} = ${print(shape!)};\n`;
  const lines = properties.map(
    (property) => comment(property.description, '  ') + `  readonly ${property.name}${marks(property)};\n`,
  );
  return `export interface ${name} {\n${lines.join('')}}\n`;
}

function marks({ isRequired, shape }: Property): string {
  // A union with undefined, so that a caller may pass on what is missing.
  return isRequired ? `: ${print(shape)}` : `?: ${print(shape)} | undefined`;
}

function comment(text: string | undefined, indent: string): string {
  return text === undefined ? '' : `${indent}/** ${text} */\n`;
}

function print(shape: Shape): string {
  switch (shape.kind) {
    case 'name':
      return shape.name;
    case 'literals':
      return shape.values
        .map((value) => (typeof value === 'string' ? `'${value}'` : String(value)))
        .join(' | ');
    case 'list':
      return `readonly ${inner(shape.of)}[]`;
    case 'tuple':
      return `readonly [${Array.from({ length: shape.length }, () => print(shape.of)).join(', ')}]`;
    case 'record':
      return `Readonly<Record<string, ${print(shape.of)}>>`;
    case 'union':
      return shape.of.map(print).join(' | ');
    default:
      return { any: 'unknown', integer: 'number', file: 'Blob' }[shape.of as string] ?? shape.of;
  }
}

/** Prints the type of a list's items, in brackets if it is more than a name. */
function inner(shape: Shape): string {
  const text = print(shape);
  return /^[\w<>, ]+$/.test(text) && !text.startsWith('readonly') ? text : `(${text})`;
}
