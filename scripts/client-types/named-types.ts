/** A JSON schema, as far as guise's OpenAPI documents use it. */
export interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly contentSchema?: Schema;
}

/** The type of a value. Types of objects are named. */
export type Shape =
  | { readonly kind: 'name'; readonly name: string }
  | {
      readonly kind: 'plain';
      readonly of: 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'any' | 'file';
    }
  | { readonly kind: 'literals'; readonly values: readonly unknown[] }
  | { readonly kind: 'list'; readonly of: Shape }
  | { readonly kind: 'tuple'; readonly of: Shape; readonly length: number }
  | { readonly kind: 'record'; readonly of: Shape }
  | { readonly kind: 'union'; readonly of: readonly Shape[] };

/** One property of an object. */
export interface Property {
  readonly name: string;
  readonly isRequired: boolean;
  readonly description: string | undefined;
  readonly shape: Shape;
}

/** A type with a name: an object with properties, or another name for a shape. */
export interface NamedType {
  readonly name: string;
  readonly description: string | undefined;
  readonly properties?: readonly Property[];
  readonly shape?: Shape;
  /** Whether a client sends it. */
  readonly isForm: boolean;
}

/** Collects the named types of OpenAPI documents. */
export class NamedTypes {
  readonly all: NamedType[] = [];
  readonly #nameOf = new Map<string, string>();

  /** Adds a component of a document. */
  addComponent(name: string, schema: Schema): void {
    if (schema.properties !== undefined) return void this.#addObject(name, schema, false);
    this.all.push({
      name,
      description: schema.description,
      shape: this.#shapeOf(schema, name),
      isForm: false,
    });
  }

  /** Adds a form. Its numbered fields (`targetFace0`, `faceBox0`, ...) become the list `faces`. */
  addForm(name: string, schema: Schema): void {
    this.#addObject(`${name}Form`, withFaceList(schema, name), true);
  }

  #shapeOf(schema: Schema, name: string, isForm = false): Shape {
    if (schema.$ref !== undefined) return { kind: 'name', name: schema.$ref.split('/').at(-1)! };
    if (schema.contentSchema !== undefined) return this.#shapeOf(schema.contentSchema, name, isForm);
    if (schema.const !== undefined) return { kind: 'literals', values: [schema.const] };
    if (schema.enum !== undefined)
      return schema.enum.join() === 'false,true'
        ? { kind: 'plain', of: 'boolean' }
        : { kind: 'literals', values: schema.enum };
    if (schema.anyOf !== undefined && schema.properties === undefined)
      return { kind: 'union', of: schema.anyOf.map((each) => this.#shapeOf(each, name, isForm)) };
    if (schema.items !== undefined) return this.#listOf(schema, schema.items, name, isForm);
    if (schema.patternProperties !== undefined)
      return { kind: 'record', of: this.#shapeOf(Object.values(schema.patternProperties)[0]!, name, isForm) };
    if (schema.properties !== undefined)
      return { kind: 'name', name: this.#addObject(schema.title ?? name, schema, isForm) };
    if (schema.format === 'binary') return { kind: 'plain', of: 'file' };
    switch (schema.type) {
      case 'string':
      case 'number':
      case 'integer':
      case 'boolean':
      case 'null':
        return { kind: 'plain', of: schema.type };
      case undefined:
      case 'object':
        return { kind: 'record', of: { kind: 'plain', of: 'any' } };
      default:
        throw new Error(`${name} has the unknown type ${schema.type}`);
    }
  }

  #listOf(list: Schema, item: Schema, name: string, isForm: boolean): Shape {
    const of = this.#shapeOf(item, name.replace(/s$/, ''), isForm);
    const { minItems, maxItems } = list;
    return minItems !== undefined && minItems === maxItems && !isForm
      ? { kind: 'tuple', of, length: minItems }
      : { kind: 'list', of };
  }

  /** Adds an object, unless there is one with the same properties. @returns its name */
  #addObject(name: string, schema: Schema, isForm: boolean): string {
    const key = JSON.stringify([schema.properties, schema.required, isForm]);
    const known = this.#nameOf.get(key);
    if (known !== undefined) return known;
    if (this.all.some((type) => type.name === name))
      throw new Error(`two objects would be called ${name}: give one a title`);
    this.#nameOf.set(key, name);
    const properties = Object.entries(schema.properties!).map(([field, each]): Property => ({
      name: field,
      isRequired: schema.required?.includes(field) ?? false,
      description: each.description ?? each.items?.description,
      shape: this.#shapeOf(each, name + field[0]!.toUpperCase() + field.slice(1), isForm),
    }));
    this.all.push({ name, description: schema.description, properties, isForm });
    return name;
  }
}

/** Returns the schema of a form with one list in place of its numbered fields. */
function withFaceList(schema: Schema, name: string): Schema {
  const fields = Object.entries(schema.properties!);
  const first = fields.filter(([field]) => /\D0$/.test(field));
  if (first.length === 0) return schema;
  const members = first.map(([field, each]) => [field.slice(0, -1), { ...each, description: undefined }]);
  // The new face is a photo or a saved one; the place of the old one is always sent.
  const items = {
    title: `${name}Face`,
    properties: Object.fromEntries(members) as object,
    required: ['faceBox'],
  };
  const required = schema.required ?? [];
  return {
    ...schema,
    required: required.map((field) => (field === 'faceBox0' ? 'faces' : field)),
    properties: {
      ...Object.fromEntries(fields.filter(([field]) => !/\d$/.test(field))),
      faces: {
        items: items as Schema,
        description:
          'The faces to replace: where each is (faceBox), and a photo of the new face (targetFace) or a saved face (sourceFaceId).',
      },
    },
  };
}
