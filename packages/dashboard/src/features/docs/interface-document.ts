/** The parts of an OpenAPI 3.1 schema that the page shows for a field. */
export interface Field {
  format?: string;
  items?: Field;
  type?: string;
  description?: string;
  enum?: unknown[];
  default?: unknown;
}

/** A body in one media type, with its examples. */
export interface Content {
  schema?: { properties?: Record<string, Field>; required?: string[] };
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
}
