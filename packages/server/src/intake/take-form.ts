import type pg from 'pg';
import type {
  ChoiceField,
  FormDeclaration,
  NumberField,
  TaskField,
  UploadField,
} from '@guise/contract/ai-tasks/form.ts';
import type { FaceBoxBody, PersonBoxBody } from '@guise/contract/ai-tasks/schemas.ts';
import { type AppError, invalidField } from '@guise/contract/errors.ts';
import { IMAGE_FORMATS } from '@guise/contract/formats.ts';
import type { Storage } from '../storage/storage.ts';
import type { StoredInput } from '../tasks/task.ts';
import { checkClip } from './check-clip.ts';
import { checkImage } from './check-image.ts';
import { discardInputs } from './discard-inputs.ts';
import { parseChoice, parseSwitch } from './fields/parse-choice.ts';
import { parseEngine } from './fields/parse-engine.ts';
import { parseFaceBox, parsePersonBox } from './fields/parse-face-box.ts';
import { parseNumber } from './fields/parse-number.ts';
import { parseGuarantee } from './fields/parse-guarantee.ts';
import { parseText } from './fields/parse-text.ts';
import { copyFaces, findFaces, photosOf, type TakenFace } from './take-faces.ts';
import { discardForm, type ReadForm, type UploadedFile, uploadName } from './read-form.ts';
import { type CheckedFile, storeInputs } from './store-inputs.ts';
import type { Requester } from './fair-limiter.ts';

export interface IntakeDeps {
  readonly pool: pg.Pool;
  readonly storage: Storage;
  readonly maxImagePixels: number;
}

/** Fields of a form that have a certain kind. */
type Of<Form extends FormDeclaration, Kind> = Extract<Form['fields'][number], { readonly kind: Kind }>;
/** Upload fields with one file each. */
type Files<Form extends FormDeclaration> = Exclude<Of<Form, 'file' | 'clip'>, { readonly maxFiles: number }>;
type Lists<Form extends FormDeclaration> = Extract<Of<Form, 'file' | 'clip'>, { readonly maxFiles: number }>;
/** Values of a form, by field name; undefined where a field may be left out. */
type Values<Field extends TaskField, Value> = {
  readonly [Each in Field as Each['name']]:
    | Value
    | (Each extends { readonly default: number } ? never : Each extends NumberField ? undefined : never)
    | (Each extends { readonly optional: true } ? undefined : never);
};

/**
 * Form that passed all checks, with its files in storage. A field that was not sent and has no
 * default is absent.
 */
export interface TakenForm<Form extends FormDeclaration = FormDeclaration> {
  readonly numbers: Values<Of<Form, 'number'>, number>;
  readonly choices: {
    readonly [Each in Of<Form, 'choice' | 'engine'> as Each['name']]:
      | (Each extends ChoiceField ? Each['values'][number] : string)
      | (Each extends { readonly optional: true } ? undefined : never);
  };
  readonly guarantees: Values<Of<Form, 'guarantee'>, true>;
  readonly switches: Values<Of<Form, 'switch'>, boolean | undefined>;
  readonly texts: Values<Of<Form, 'text'>, string>;
  /** Saved faces, by the fields that name them. */
  readonly savedFaces: ReadonlyMap<string, TakenFace>;
  readonly boxes: Values<Of<Form, 'face-box'>, FaceBoxBody>;
  readonly persons: Values<Of<Form, 'person-box'>, PersonBoxBody>;
  /** Inputs of fields that hold one file. */
  readonly inputs: Values<Files<Form>, StoredInput>;
  /** Inputs of fields that hold several files, in the order sent. */
  readonly lists: Values<Lists<Form>, readonly StoredInput[]>;
  /** All files, in the order of the declaration, and then the photos of saved faces. */
  readonly files: readonly StoredInput[];
  /** Deletes the files. To be called if no task was created. */
  discard(): Promise<void>;
}

/**
 * Checks every rule and stores the files.
 * @throws AppError naming the field; the reason of `requester.signal`. All files are deleted in
 * that case.
 */
export async function takeForm<Form extends FormDeclaration>(
  form: ReadForm,
  declaration: Form,
  requester: Requester,
  deps: IntakeDeps,
): Promise<TakenForm<Form>> {
  try {
    const { accountId } = requester;
    const { uploads, faceIds, ...values } = await checkForm(
      form,
      declaration,
      deps.maxImagePixels,
      requester,
    );
    const wanted = await findFaces(faceIds, accountId, deps);
    const sent = await storeInputs(uploads.map(toCheckedFile), accountId, deps);
    const savedFaces = await copyFaces(wanted, sent, accountId, deps);
    const files = [...sent, ...photosOf(savedFaces)];
    const inputs: Record<string, StoredInput> = {};
    const lists: Record<string, StoredInput[]> = {};
    for (const [index, { file }] of uploads.entries()) {
      const { name, maxFiles } = file.field;
      if (maxFiles === undefined) inputs[name] = sent[index]!;
      else (lists[name] ??= []).push(sent[index]!);
    }
    const taken = { ...values, savedFaces, inputs, lists, files, discard: () => discardInputs(files, deps) };
    // The cast is safe: `checkForm` reads the same declaration from which the types are derived.
    return taken as unknown as TakenForm<Form>;
  } catch (error) {
    await discardForm(form);
    throw error;
  }
}

interface CheckedUpload {
  readonly file: UploadedFile;
  /** Extension of the storage key, without the dot. */
  readonly extension: string;
  readonly facts: Pick<StoredInput, 'contentType' | 'width' | 'height' | 'durationSeconds'>;
}

interface CheckedForm {
  readonly numbers: Record<string, number>;
  readonly choices: Record<string, string>;
  readonly guarantees: Record<string, true>;
  readonly switches: Record<string, boolean>;
  readonly texts: Record<string, string>;
  /** Ids of saved faces, by field. */
  readonly faceIds: Map<string, string>;
  readonly boxes: Record<string, FaceBoxBody>;
  readonly persons: Record<string, PersonBoxBody>;
  readonly uploads: CheckedUpload[];
}

/**
 * Checks the fields in the order of the declaration, so that a form with several mistakes always
 * gives the same error. Videos are checked last, because each needs a process of its own.
 */
async function checkForm(
  form: ReadForm,
  { fields }: FormDeclaration,
  maxImagePixels: number,
  requester: Requester,
): Promise<CheckedForm> {
  const checked: CheckedForm = {
    numbers: {},
    choices: {},
    guarantees: {},
    switches: {},
    texts: {},
    faceIds: new Map(),
    boxes: {},
    persons: {},
    uploads: [],
  };
  const looks: (() => Promise<void>)[] = [];
  for (const field of fields) {
    const { name } = field;
    const text = form.texts.get(name);
    switch (field.kind) {
      case 'number':
        {
          const number = parseNumber(field, text);
          if (number !== undefined) checked.numbers[name] = number;
        }
        break;
      case 'choice':
        if (text !== undefined || !field.optional) checked.choices[name] = parseChoice(field, text);
        break;
      case 'engine':
        if (text !== undefined) checked.choices[name] = parseEngine(name, text);
        break;
      case 'guarantee':
        checked.guarantees[name] = parseGuarantee(field, text);
        break;
      case 'switch':
        if (text !== undefined) checked.switches[name] = parseSwitch(field, text);
        break;
      case 'text':
        if (text !== undefined) checked.texts[name] = parseText(field, text);
        else if (!field.optional) throw missing(name);
        break;
      case 'saved-face':
        if (text !== undefined) checked.faceIds.set(name, text);
        break;
      case 'face-box':
        if (text !== undefined) checked.boxes[name] = parseFaceBox(name, text);
        else if (!field.optional) throw missing(name);
        break;
      case 'person-box':
        if (text !== undefined) checked.persons[name] = parsePersonBox(name, text);
        else if (!field.optional) throw missing(name);
        break;
      case 'file':
        for (const file of filesOf(form, field)) {
          const { format, contentType, width, height } = await checkImage(file, field, maxImagePixels);
          const [extension] = IMAGE_FORMATS[format].extensions;
          checked.uploads.push({ file, extension, facts: { contentType, width, height } });
        }
        break;
      case 'clip':
        for (const file of filesOf(form, field)) {
          looks.push(async () => {
            const { container, contentType, width, height, durationSeconds } = await checkClip(
              file,
              field,
              requester,
            );
            const facts = { contentType, width, height, durationSeconds };
            checked.uploads.push({ file, extension: container, facts });
          });
        }
    }
  }
  for (const look of looks) await look();
  return checked;
}

/**
 * Returns the files of a field in the order sent. @throws AppError if a required file is missing.
 */
function filesOf(form: ReadForm, field: UploadField): UploadedFile[] {
  const names = Array.from({ length: field.maxFiles ?? 1 }, (_, number) => uploadName(field, number));
  const files = names.flatMap((name) => form.files.get(name) ?? []);
  const isRequired = !field.optional || (field.unless !== undefined && !form.texts.has(field.unless));
  if (files.length === 0 && isRequired) throw missing(field.name);
  return files;
}

function missing(name: string): AppError {
  return invalidField(name, 'is missing.');
}

function toCheckedFile({ file, extension, facts }: CheckedUpload): CheckedFile {
  const { path, name: field, fileName, sizeBytes, sha256 } = file;
  return { path, extension, input: { field, fileName, sizeBytes, sha256, ...facts } };
}
