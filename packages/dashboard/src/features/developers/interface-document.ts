/** The parts of an OpenAPI 3.1 schema that the page shows. */
export interface Field {
  $ref?: string;
  anyOf?: Field[];
  const?: unknown;
  contentSchema?: Field;
  default?: unknown;
  description?: string;
  enum?: unknown[];
  format?: string;
  items?: Field;
  maximum?: number;
  minimum?: number;
  properties?: Record<string, Field>;
  required?: string[];
  type?: string;
}

/** A body in one media type, with its examples. */
export interface Content {
  schema?: Field;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

/** One operation of an OpenAPI document. */
export interface OperationBody {
  summary?: string;
  parameters?: { name: string; in: string; required?: boolean; description?: string }[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, { description?: string; content?: Record<string, Content> }>;
}

/** The parts of an OpenAPI document that the page shows. */
export interface InterfaceDocument {
  info: { title: string; version: string; description?: string };
  paths: Record<string, Record<string, OperationBody>>;
  components?: { schemas?: Record<string, Field> };
}

/** An operation with its path and method. */
export interface OperationEntry {
  readonly path: string;
  readonly method: string;
  readonly operation: OperationBody;
  /** Name of its place on the page. */
  readonly anchor: string;
}

/** Lists the operations of a document whose texts contain all words of a search. */
export function operationsOf(document: InterfaceDocument, search: string): OperationEntry[] {
  const words = search.toLowerCase().split(/\s+/);
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => {
        const text = `${path} ${namesIn(document, operation)} ${JSON.stringify(operation)}`.toLowerCase();
        return words.every((word) => text.includes(word));
      })
      .map(([method, operation]) => {
        const anchor = `${method}-${path}`.replace(/[^\w-]+/g, '-');
        return { path, method, operation, anchor };
      }),
  );
}

/** Returns the names of all fields of an operation's body, also of those inside of other fields. */
function namesIn(document: InterfaceDocument, { requestBody }: OperationBody): string {
  const bodies = Object.values(requestBody?.content ?? {});
  return bodies.flatMap(({ schema }) => fieldRows(document, schema).map(({ name }) => name)).join(' ');
}

/** A field of a body, for a table. */
export interface FieldRow {
  /** Such as `targetFace0 to targetFace9`. */
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly text: string;
}

/**
 * Lists the fields of a schema. Numbered fields of one kind are one row; fields of objects inside
 * follow with their path.
 */
export function fieldRows(document: InterfaceDocument, schema: Field | undefined, path = ''): FieldRow[] {
  const rows: FieldRow[] = [];
  for (const [name, field] of Object.entries(schema?.properties ?? {})) {
    const [, stem, digits] = /^(.*?)(\d+)$/.exec(name) ?? [];
    if (digits !== undefined && digits !== '0' && `${stem}0` in schema!.properties!) continue;
    const last = digits === undefined ? -1 : countOf(schema!, stem!) - 1;
    const own = resolved(document, field);
    const isRequired = schema?.required?.includes(name) ?? false;
    const shown = path + (last > 0 ? `${stem}0 to ${stem}${last}` : name);
    rows.push({ name: shown, type: typeOf(document, own), isRequired, text: textOf(own) });
    for (const inner of innerOf(document, own)) rows.push(...fieldRows(document, inner, `${path}${name}.`));
  }
  return rows;
}

function countOf({ properties = {} }: Field, stem: string): number {
  let count = 0;
  while (`${stem}${count}` in properties) count += 1;
  return count;
}

function resolved({ components }: InterfaceDocument, field: Field): Field {
  const name = field.$ref?.split('/').at(-1);
  return name === undefined ? field : { ...components?.schemas?.[name], ...field };
}

/** Returns the objects that a field consists of. */
function innerOf(document: InterfaceDocument, field: Field): Field[] {
  if (field.contentSchema !== undefined) return innerOf(document, resolved(document, field.contentSchema));
  if (field.items !== undefined) return innerOf(document, resolved(document, field.items));
  if (field.anyOf !== undefined)
    return field.anyOf.flatMap((each) => innerOf(document, resolved(document, each)));
  return field.properties === undefined ? [] : [field];
}

function typeOf(document: InterfaceDocument, field: Field): string {
  if (field.contentSchema !== undefined) return 'JSON';
  if (field.format === 'binary') return 'file';
  if (field.items !== undefined) return `list of ${typeOf(document, resolved(document, field.items))}`;
  if (field.enum !== undefined) return field.enum.join(', ');
  if (field.const !== undefined) return String(field.const);
  if (field.anyOf !== undefined)
    return [...new Set(field.anyOf.map((each) => typeOf(document, resolved(document, each))))].join(' or ');
  const { minimum, maximum } = field;
  const range = minimum !== undefined && maximum !== undefined ? `, ${minimum} to ${maximum}` : '';
  return (field.type ?? 'any') + range;
}

function textOf({ description = '', default: fallback }: Field): string {
  return fallback === undefined ? description : `${description} Default: ${JSON.stringify(fallback)}.`;
}
