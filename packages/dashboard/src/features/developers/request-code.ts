import type { OperationEntry } from './interface-document.ts';

/** Programming languages of the examples. */
export const LANGUAGES = ['curl', 'TypeScript', 'Python'] as const;
export type Language = (typeof LANGUAGES)[number];

/** A request with the values that must be filled in. */
interface Request {
  readonly url: string;
  readonly method: string;
  /** Required fields of a form, in which files begin with `@`. */
  readonly form: readonly (readonly [name: string, value: string])[];
  /** JSON body; null if there is none. */
  readonly json: unknown;
}

/** Writes an operation's smallest request as program code. The key comes from the environment. */
export function requestCode(language: Language, entry: OperationEntry, origin: string): string {
  const request = requestOf(entry, origin);
  return { curl, TypeScript: typescript, Python: python }[language](request);
}

function requestOf({ path, method, operation }: OperationEntry, origin: string): Request {
  const query = (operation.parameters ?? []).filter(
    ({ in: place, required }) => place === 'query' && required,
  );
  const search = query.map(({ name }) => `${name}=${name.toUpperCase()}`).join('&');
  const content = operation.requestBody?.content ?? {};
  const { properties = {}, required = [] } = content['multipart/form-data']?.schema ?? {};
  const form = required.map((name) => {
    const { format, items, enum: values, contentSchema } = properties[name] ?? {};
    if ((items ?? { format }).format === 'binary') return [name, `@${name}.jpg`] as const;
    if (contentSchema !== undefined) return [name, '{"x":0.4,"y":0.2,"width":0.2,"height":0.3}'] as const;
    return [name, String(values?.[0] ?? '...')] as const;
  });
  const body = content['application/json'];
  const json =
    body === undefined ? null : (body.example ?? Object.values(body.examples ?? {})[0]?.value ?? {});
  const url = origin + path.replace(/\{(\w+)\}/g, (_whole, name: string) => name.toUpperCase());
  return { url: search === '' ? url : `${url}?${search}`, method: method.toUpperCase(), form, json };
}

function curl({ url, method, form, json }: Request): string {
  return [
    `curl ${method === 'GET' || form.length > 0 || json !== null ? '' : `-X ${method} `}"${url}"`,
    '-H "Authorization: Bearer $GUISE_API_KEY"',
    ...form.map(([name, value]) => `-F '${name}=${value}'`),
    ...(json === null ? [] : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(json)}'`]),
  ].join(' \\\n  ');
}

function typescript({ url, method, form, json }: Request): string {
  const fields = form.map(([name, value]) =>
    value.startsWith('@')
      ? `form.append('${name}', await openAsBlob('${value.slice(1)}'), '${value.slice(1)}');`
      : `form.append('${name}', '${value}');`,
  );
  const body = form.length > 0 ? ', body: form' : json === null ? '' : ', body: JSON.stringify(body)';
  return [
    ...(form.length > 0
      ? ["import { openAsBlob } from 'node:fs';", '', 'const form = new FormData();', ...fields]
      : []),
    ...(json === null ? [] : [`const body = ${JSON.stringify(json, null, 2)};`]),
    `const headers = { authorization: \`Bearer \${process.env.GUISE_API_KEY}\`${json === null ? '' : ", 'content-type': 'application/json'"} };`,
    `const response = await fetch('${url}', { method: '${method}', headers${body} });`,
    'console.log(response.status, await response.json());',
  ].join('\n');
}

function python({ url, method, form, json }: Request): string {
  const files = form.filter(([, value]) => value.startsWith('@'));
  const data = form.filter(([, value]) => !value.startsWith('@'));
  const parts = [
    ...(files.length === 0
      ? []
      : [
          `files=[${files.map(([name, value]) => `('${name}', open('${value.slice(1)}', 'rb'))`).join(', ')}]`,
        ]),
    ...(data.length === 0
      ? []
      : [`data={${data.map(([name, value]) => `'${name}': '${value}'`).join(', ')}}`]),
    ...(json === null ? [] : [`json=json.loads('''${JSON.stringify(json)}''')`]),
  ];
  return [
    `import ${json === null ? '' : 'json, '}os`,
    'import requests  # pip install requests',
    '',
    "headers = {'Authorization': f'Bearer {os.environ[\"GUISE_API_KEY\"]}'}",
    `response = requests.request('${method}', '${url}', headers=headers${parts.map((each) => `, ${each}`).join('')})`,
    'print(response.status_code, response.json())',
  ].join('\n');
}
