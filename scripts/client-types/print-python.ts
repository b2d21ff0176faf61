import type { NamedType, Property, Shape } from './named-types.ts';

/** Widest line of comments. */
const WIDTH = 110;
/** What makes a task of a form, and what prices it; a face only has a maker. */
const SWAP = {
  name: 'swap',
  description: 'Creates a task. A request that is sent again makes no second task.',
};
const SAVE = { name: 'save', description: 'Saves a face, which all workflows take as `source_face_id`.' };
const QUOTE = { name: 'quote', description: 'Returns the price and warnings of a task without creating it.' };

const HEAD = `# Made from docs/openapi*.json by \`npm run client-types\`.

from __future__ import annotations
`;

/** Prints the types of answers, and of what forms are made of, as a Python module. */
export function printPythonTypes(types: readonly NamedType[]): string {
  const printed = types
    .flatMap((type) => [type, ...completedTask(type)])
    .filter((type) => !isWholeForm(type));
  return `"""Types of guise's answers, and of the faces and boxes that forms have."""

${HEAD}
from typing import Any, Dict, List, Literal, Optional, Tuple, TypedDict, Union

from ._sender import File


${printed.map(declaration).join('\n\n')}`;
}

/** Prints the methods that send forms as a Python module. */
export function printPythonForms(types: readonly NamedType[]): string {
  const files = types
    .filter(({ isForm }) => isForm)
    .flatMap(({ properties }) => properties!.filter(({ shape }) => isFile(shape)).map(({ name }) => name));
  const forms = types.filter((type) => isWholeForm(type) && type.name !== 'DetectionForm');
  return `${HEAD}
from typing import Literal, Optional, Sequence

from ._sender import File, Made, Quoted, Sender
from .types import GroupFace, VideoFace

# Fields of files, in which a string is a path.
FILE_FIELDS = frozenset(${JSON.stringify([...new Set(['file', ...files])].sort())})


${forms.map(formClass).join('\n\n')}`;
}

function isWholeForm({ name, isForm }: NamedType): boolean {
  return isForm && name.endsWith('Form');
}

function isFile(shape: Shape): boolean {
  return shape.kind === 'list' ? isFile(shape.of) : shape.kind === 'plain' && shape.of === 'file';
}

/** Returns the type of a task that was done: a TypedDict cannot narrow that of another. */
function completedTask({ name, properties }: NamedType): NamedType[] {
  if (name !== 'Task') return [];
  const narrow: Readonly<Record<string, Shape>> = {
    status: { kind: 'literals', values: ['COMPLETED'] },
    result: { kind: 'name', name: 'Outcome' },
  };
  const narrowed = properties!.map((each): Property =>
    each.name in narrow ? Object.assign({}, each, { shape: narrow[each.name] }) : each,
  );
  const description = 'A task that was done.';
  return [{ name: 'CompletedTask', description, properties: narrowed, isForm: false }];
}

/** Python 3.9 has no NotRequired: what may be missing is in a class of its own. */
function declaration({ name, description, properties, shape, isForm }: NamedType): string {
  if (properties === undefined)
    return `${comment(description)}${name} = ${print(shape!, isForm).replaceAll(/\b[A-Z]\w+(?=[,\]])/g, '"$&"')}\n`;
  const required = properties.filter(({ isRequired }) => isRequired);
  const optional = properties.filter(({ isRequired }) => !isRequired);
  const classOf = (head: string, members: readonly Property[], text?: string): string =>
    `class ${head}:\n${docstring(text, '    ')}${members.map((each) => member(each, isForm)).join('')}`;
  if (optional.length === 0) return classOf(`${name}(TypedDict)`, required, description);
  if (required.length === 0) return classOf(`${name}(TypedDict, total=False)`, optional, description);
  return [
    classOf(`_${name}(TypedDict)`, required),
    classOf(`${name}(_${name}, total=False)`, optional, description),
  ].join('\n\n');
}

function member({ name, shape, description }: Property, isForm: boolean): string {
  return `    ${name}: ${print(shape, isForm)}\n${docstring(description, '    ')}`;
}

function formClass({ name, description, properties }: NamedType): string {
  const [made, ...others] = name === 'FaceForm' ? [SAVE] : [SWAP, QUOTE];
  const all = properties!;
  const sorted = [...all.filter((each) => each.isRequired), ...all.filter((each) => !each.isRequired)];
  const form = `{\n${all.map((each) => `            "${each.name}": ${snake(each.name)},\n`).join('')}        }`;
  const about = sorted.map((each) => `${snake(each.name)}: ${each.description ?? ''}`);
  const makes = [...sorted.map(parameter), 'idempotency_key: Optional[str] = None'];
  const text = [`${made!.description}${description === undefined ? '' : ` ${description}`}`, '', ...about];
  const quotes = others.map(
    (quote) =>
      `\n    def ${quote.name}(\n        self,\n        *,\n${list(sorted.map(parameter))}    ) -> Quoted:
        """${quote.description}"""
        form = ${form}\n        return self._quote(form)\n`,
  );
  return `class ${name}(Sender[Made, Quoted]):
    def ${made!.name}(\n        self,\n        *,\n${list(makes)}    ) -> Made:
${docstring(text.join('\n'), '        ')}        form = ${form}
        return self._make(form, idempotency_key)\n${quotes.join('')}`;
}

function parameter({ name, shape, isRequired }: Property): string {
  const type = print(shape, true);
  return isRequired ? `${snake(name)}: ${type}` : `${snake(name)}: Optional[${type}] = None`;
}

function list(parameters: readonly string[]): string {
  return parameters.map((each) => `        ${each},\n`).join('');
}

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function print(shape: Shape, isForm: boolean): string {
  switch (shape.kind) {
    case 'name':
      // A face that was detected can be sent back as it is.
      return shape.name === 'FaceBox' ? 'Union[FaceBox, DetectedFace]' : shape.name;
    case 'literals':
      return `Literal[${shape.values.map((value) => (value === true ? 'True' : value === false ? 'False' : JSON.stringify(value))).join(', ')}]`;
    case 'list':
      return `${isForm ? 'Sequence' : 'List'}[${print(shape.of, isForm)}]`;
    case 'tuple':
      return `Tuple[${Array.from({ length: shape.length }, () => print(shape.of, isForm)).join(', ')}]`;
    case 'record':
      return `Dict[str, ${print(shape.of, isForm)}]`;
    case 'union':
      return `Union[${shape.of.map((each) => print(each, isForm)).join(', ')}]`;
    default:
      return {
        string: 'str',
        number: 'float',
        integer: 'int',
        boolean: 'bool',
        null: 'None',
        any: 'Any',
        file: 'File',
      }[shape.of];
  }
}

function comment(text: string | undefined): string {
  return text === undefined ? '' : wrap(text, '# ', '# ');
}

function docstring(text: string | undefined, indent: string): string {
  if (text === undefined) return '';
  const line = `${indent}"""${text}"""`;
  if (!text.includes('\n') && line.length <= WIDTH && !text.endsWith('"')) return `${line}\n`;
  const lines = text
    .split('\n')
    .map((each) => (each === '' ? '\n' : wrap(each, indent, /^\w+: /.test(each) ? `${indent}    ` : indent)));
  return `${indent}"""\n${lines.join('')}${indent}"""\n`;
}

/** Breaks a text into lines. */
function wrap(text: string, first: string, next: string): string {
  let [whole, line] = ['', first];
  for (const word of text.split(' ')) {
    if (line.length + word.length > WIDTH) [whole, line] = [`${whole}${line.trimEnd()}\n`, next];
    line += `${word} `;
  }
  return `${whole}${line.trimEnd()}\n`;
}
