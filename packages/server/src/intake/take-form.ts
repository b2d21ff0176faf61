import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type pg from 'pg';
import type { FormField } from '@guise/contract/ai-tasks/form.ts';
import { AppError } from '@guise/contract/errors.ts';
import { IMAGE_FORMATS } from '@guise/media/image/formats.ts';
import type { ImageProbe } from '@guise/media/image/probe.ts';
import { isOutOfSpace, outOfSpace } from '../storage/local-storage.ts';
import { forgetObjects, registerObjects, UNCLAIMED_INPUT_LIFETIME_MS } from '../storage/objects.ts';
import type { Storage } from '../storage/storage.ts';
import type { StoredInput } from '../tasks/task.ts';
import { checkImage } from './check-image.ts';
import { parseNumber } from './parse-number.ts';
import { discardForm, readForm, type ReadForm, type UploadedFile } from './read-form.ts';

export interface IntakeDeps {
  readonly pool: pg.Pool;
  readonly storage: Storage;
  readonly maxImagePixels: number;
}

/** A form whose every rule holds, its files at rest in storage. */
export interface TakenForm {
  /** By field, defaults filled in. */
  readonly numbers: Readonly<Record<string, number>>;
  /** By field. */
  readonly inputs: Readonly<Record<string, StoredInput>>;
  /** SHA-256 over the fields as sent and the files' hashes: two forms that mean the same have the same. */
  readonly digest: Buffer;
  /** Deletes the files again, where no task came of the form. */
  discard(): Promise<void>;
}

/**
 * Upload to checked input: reads the body, checks every rule, stores the files.
 * @throws AppError naming the field; nothing is left behind then.
 */
export async function takeForm(
  request: IncomingMessage,
  fields: readonly FormField[],
  accountId: string,
  deps: IntakeDeps,
): Promise<TakenForm> {
  await deps.storage.requireSpace();
  const form = await readForm(request, fields, deps.storage);
  try {
    const { numbers, images } = await checkForm(form, fields, deps.maxImagePixels);
    const inputs = await storeInputs(images, accountId, deps);
    return {
      numbers,
      inputs: Object.fromEntries(inputs.map((input) => [input.field, input])),
      digest: digestOf(form),
      discard: () => discardInputs(inputs, deps),
    };
  } catch (error) {
    await discardForm(form);
    throw error;
  }
}

interface CheckedImage {
  readonly file: UploadedFile;
  readonly probe: ImageProbe;
}

/** In the order of the declaration, so that the same mistakes are always named in the same order. */
async function checkForm(
  form: ReadForm,
  fields: readonly FormField[],
  maxImagePixels: number,
): Promise<{ numbers: Record<string, number>; images: CheckedImage[] }> {
  const numbers: Record<string, number> = {};
  const images: CheckedImage[] = [];
  for (const field of fields) {
    if (field.kind === 'number') {
      numbers[field.name] = parseNumber(field, form.texts.get(field.name));
      continue;
    }
    const file = form.files.get(field.name);
    if (file === undefined) throw new AppError('INVALID_REQUEST', `${field.name} is missing.`);
    images.push({ file, probe: await checkImage(file, maxImagePixels) });
  }
  return { numbers, images };
}

async function storeInputs(
  images: readonly CheckedImage[],
  accountId: string,
  { pool, storage }: IntakeDeps,
): Promise<StoredInput[]> {
  const inputs = images.map(({ file, probe }) => ({
    field: file.field.name,
    objectKey: storage.newKey('input', IMAGE_FORMATS[probe.format].extension),
    fileName: file.fileName,
    contentType: probe.contentType,
    sizeBytes: file.sizeBytes,
    sha256: file.sha256,
    width: probe.width,
    height: probe.height,
  }));
  const deleteAfter = new Date(Date.now() + UNCLAIMED_INPUT_LIFETIME_MS);
  await registerObjects(
    pool,
    inputs.map(({ objectKey }) => ({ key: objectKey, kind: 'input', accountId, taskId: null, deleteAfter })),
  );
  try {
    await Promise.all(inputs.map((input, index) => storage.put(input.objectKey, images[index]!.file.path)));
  } catch (error) {
    await discardInputs(inputs, { pool, storage });
    throw isOutOfSpace(error) ? outOfSpace(error) : error;
  }
  return inputs;
}

async function discardInputs(
  inputs: readonly StoredInput[],
  { pool, storage }: Pick<IntakeDeps, 'pool' | 'storage'>,
): Promise<void> {
  const keys = inputs.map((input) => input.objectKey);
  for (const key of keys) await storage.delete(key);
  await forgetObjects(pool, keys);
}

/** File names are left out: the same picture under another name is the same request. */
function digestOf({ texts, files }: ReadForm): Buffer {
  const parts = [
    ...Array.from(texts, ([name, text]) => [name, 'text', text]),
    ...Array.from(files.values(), ({ field, sha256 }) => [field.name, 'file', sha256]),
  ];
  parts.sort((a, b) => (a[0]! < b[0]! ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}
