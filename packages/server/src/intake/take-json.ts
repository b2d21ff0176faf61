import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type pg from 'pg';
import { type AppError, fieldError, invalidField } from '@guise/contract/errors.ts';
import type {
  BodyDeclaration,
  ChoiceJsonField,
  EngineJsonField,
  JsonField,
  SavedFaceJsonField,
  SwitchJsonField,
  TextJsonField,
  WebhookJsonField,
} from '@guise/contract/v1/body.ts';
import type { VideoProbe } from '@guise/media/video/video-types.ts';
import { checkPublicUrl } from '../net/check-url.ts';
import { fetchToFile } from '../net/fetch-to-file.ts';
import type { GuardedClient } from '../net/guarded-client.ts';
import { IMAGE_FETCH, VIDEO_FETCH } from '../net/media-fetch-limits.ts';
import { NetError } from '../net/net-error.ts';
import type { PromisedRoom } from '../storage/disk-room.ts';
import type { Storage } from '../storage/storage.ts';
import type { RemoteInput, StoredInput } from '../tasks/task.ts';
import { checkV1Image, checkV1Video, type MediaFile } from './check-v1-media.ts';
import { parseEngine } from './fields/parse-engine.ts';
import { parseText } from './fields/parse-text.ts';
import { discardInputs } from './discard-inputs.ts';
import type { GivenMedia } from './media-string.ts';
import { type BodyLimits, type ReadBody, tooManyImages } from './json-body-reader.ts';
import type { Scalar } from './json-scalar.ts';
import { discardBody, readJson } from './read-json.ts';
import { storeInputs } from './store-inputs.ts';
import type { Requester } from './fair-limiter.ts';
import { copyFaces, findFaces, photosOf, type TakenFace } from './take-faces.ts';

export interface JsonIntakeDeps {
  readonly pool: pg.Pool;
  readonly storage: Storage;
  readonly client: GuardedClient;
  readonly allowPrivateUrls: boolean;
  readonly maxImagePixels: number;
}

/**
 * A body that was read. All its fields are declared, but its values and media have not been checked
 * yet.
 */
export interface OpenedBody {
  /**
   * SHA-256 over the fields as sent, with the hash or URL of each medium in its place. The order of
   * the fields does not matter.
   */
  readonly digest: Buffer;
  readonly body: ReadBody;
}

/** Type of a field's value. */
type ValueOf<Field extends JsonField> = Field extends ChoiceJsonField
  ? Field['values'][number]
  : Field extends SwitchJsonField
    ? boolean
    : Field extends WebhookJsonField | EngineJsonField | TextJsonField | SavedFaceJsonField
      ? string | undefined
      : number | undefined;
/** Fields of a body that have a certain kind. */
type Of<Body extends BodyDeclaration, Kind> = Extract<Body['fields'][number], { readonly kind: Kind }>;

/**
 * A body that passed all checks, with its media in storage. Batch targets given by URL are fetched
 * later, by the worker.
 */
export interface TakenBody<Body extends BodyDeclaration = BodyDeclaration> {
  /** Values, including defaults. A field that was not sent and has no default is absent. */
  readonly values: {
    readonly [
      Each in Of<
        Body,
        'choice' | 'engine' | 'text' | 'saved-face' | 'switch' | 'webhook' | 'index' | 'number'
      > as Each['name']
    ]: ValueOf<Each>;
  };
  /** Values of fields inside objects, by names such as `name[0].field`. */
  readonly nested: ReadonlyMap<string, Scalar>;
  readonly inputs: {
    readonly [Each in Of<Body, 'image' | 'video'> as Each['name']]:
      | StoredInput
      | (Each extends { readonly optional: true } ? undefined : never);
  };
  /** Media of fields inside objects, by names such as `name[0].field`. */
  readonly nestedInputs: ReadonlyMap<string, StoredInput>;
  readonly lists: {
    readonly [Each in Of<Body, 'images'> as Each['name']]: readonly (StoredInput | RemoteInput)[];
  };
  /** Number of objects in each list of objects. Names of their fields look like `name[0].field`. */
  readonly objects: ReadonlyMap<string, number>;
  /** Saved faces, by the names of the fields that name them, such as `name[0].field`. */
  readonly savedFaces: ReadonlyMap<string, TakenFace>;
  /** All stored files: first the images, then the video, then photos of saved faces. */
  readonly files: readonly StoredInput[];
  /** Probe of the video, if the body has one. */
  readonly probe?: VideoProbe;
  /** Deletes the files. To be called if no task was created. */
  discard(): Promise<void>;
}

/**
 * Reads the body. Its files stay in a scratch folder until `takeBody` or `discardBody` handles
 * them.
 * @throws AppError naming the field. All files of the body are deleted in that case.
 */
export async function openJson(
  request: IncomingMessage,
  declaration: BodyDeclaration,
  limits: BodyLimits,
  deps: JsonIntakeDeps,
  room: PromisedRoom,
): Promise<OpenedBody> {
  const body = await readJson(request, declaration, limits, deps.storage.scratch, room);
  return { digest: digestOf(body), body };
}

/**
 * Checks the values, fetches media given by URL (except batch targets), checks all media and stores
 * them.
 * @throws AppError naming the field; the signal's reason. All scratch files are deleted in that
 * case.
 */
export async function takeBody<Body extends BodyDeclaration>(
  body: ReadBody,
  declaration: Body,
  { accountId, signal }: Requester,
  limits: BodyLimits,
  deps: JsonIntakeDeps,
): Promise<TakenBody<Body>> {
  const { fields } = declaration;
  const fetched: string[] = [];
  const fileOf = async (given: GivenMedia, kind: 'image' | 'video'): Promise<MediaFile> => {
    if (given.kind === 'inline') return given;
    const path = deps.storage.scratch.newPath('upload');
    const limits = kind === 'video' ? VIDEO_FETCH : IMAGE_FETCH;
    // The size is unknown before the fetch, so space for the largest allowed file is reserved.
    const room = await deps.storage.scratch.promiseRoom(accountId, limits.maxBytes);
    try {
      const file = await fetchMedia(given, kind, path, deps.client, signal);
      fetched.push(path);
      return file;
    } finally {
      room.release();
    }
  };
  try {
    const values = valuesOf(body, declaration, limits, deps);
    const stills = stillsOf(body, declaration);
    const lists = fields.flatMap(({ name, kind }) => (kind === 'images' ? [body.lists.get(name)!] : []));
    const targets = lists.flat();
    const checks = [];
    for (const given of [...stills, ...targets.filter(({ kind }) => kind === 'inline')]) {
      checks.push(await checkV1Image(await fileOf(given, 'image'), deps.maxImagePixels));
    }
    let probe: VideoProbe | undefined;
    for (const { name, kind } of fields) {
      if (kind !== 'video') continue;
      const video = await checkV1Video(await fileOf(body.media.get(name)!, 'video'), { accountId, signal });
      ({ probe } = video);
      checks.push(video);
    }
    const wanted = await findFaces(facesOf(body, declaration), accountId, deps);
    const sent = await storeInputs(checks, accountId, deps);
    const savedFaces = await copyFaces(wanted, sent, accountId, deps);
    const files = [...sent, ...photosOf(savedFaces)];
    const byName = new Map(sent.map((file) => [file.field, file]));
    const listOf = (given: readonly GivenMedia[]): (StoredInput | RemoteInput)[] =>
      given.map((each) =>
        each.kind === 'url' ? { field: each.name, url: each.url } : byName.get(each.name)!,
      );
    const given = Array.from(body.media.keys(), (name) => [name, byName.get(name)!] as const);
    const taken = {
      values,
      nested: new Map([...body.scalars].filter(([name]) => isNested(name))),
      inputs: Object.fromEntries(given.filter(([name]) => !isNested(name))),
      nestedInputs: new Map(given.filter(([name]) => isNested(name))),
      lists: Object.fromEntries(Array.from(body.lists, ([name, given]) => [name, listOf(given)])),
      objects: body.objects,
      savedFaces,
      files,
      probe,
      discard: () => discardInputs(files, deps),
    };
    // The cast is safe: the values were read by the same declaration from which the types are
    // derived.
    return taken as unknown as TakenBody<Body>;
  } catch (error) {
    await discardBody(body);
    await Promise.all(fetched.map((path) => rm(path, { force: true })));
    throw error;
  }
}

async function fetchMedia(
  { name, url }: GivenMedia & { kind: 'url' },
  kind: 'image' | 'video',
  path: string,
  client: GuardedClient,
  signal: AbortSignal,
): Promise<MediaFile> {
  const limits = kind === 'video' ? VIDEO_FETCH : IMAGE_FETCH;
  try {
    return { name, path, ...(await fetchToFile(client, url, path, limits, signal)) };
  } catch (error) {
    if (!(error instanceof NetError)) throw error;
    if (error.code === 'TOO_LARGE') {
      const code = kind === 'video' ? 'VIDEO_TOO_LARGE' : 'IMAGE_TOO_LARGE';
      const limit = limits.maxBytes;
      throw fieldError(code, name, `is larger than ${limit} bytes.`, { limit }, error);
    }
    throw fieldError('MEDIA_UNREACHABLE', name, `could not be fetched: ${error.message}.`, {}, error);
  }
}

/**
 * Reads the values in the order of the declaration, so that a body with several mistakes always
 * gives the same error.
 */
function valuesOf(
  body: ReadBody,
  { fields }: BodyDeclaration,
  limits: BodyLimits,
  deps: JsonIntakeDeps,
): Record<string, Scalar> {
  const values: Record<string, Scalar> = {};
  for (const field of fields) {
    requirePresent(field, body, limits);
    const value = body.scalars.get(field.name) ?? ('default' in field ? field.default : undefined);
    if (value === undefined) continue;
    if (field.kind === 'choice' && !field.values.includes(value as string)) {
      throw invalidField(field.name, `must be ${field.values.join(' or ')}.`);
    }
    if (field.kind === 'engine') parseEngine(field.name, value as string);
    if (field.kind === 'webhook') checkWebhookUrl(field.name, value as string, deps);
    values[field.name] = field.kind === 'text' ? parseText(field, value as string) : value;
  }
  return values;
}

function requirePresent(
  field: JsonField,
  { media, lists, scalars }: ReadBody,
  { maxImages }: BodyLimits,
): void {
  const { name, kind } = field;
  if ((field.kind === 'image' || field.kind === 'video') && !media.has(name)) {
    if (!field.optional || (field.unless !== undefined && !scalars.has(field.unless))) throw missing(name);
  }
  if (kind !== 'images') return;
  const given = lists.get(name);
  if (given === undefined) throw missing(name);
  if (given.length > maxImages) throw tooManyImages(name, maxImages);
  if (given.length === 0) throw invalidField(name, 'must hold at least one image.');
}

function missing(name: string): AppError {
  return invalidField(name, 'is missing.');
}

/**
 * Lists the images of a body: first those of its own fields, in the order of the declaration, then
 * those inside objects.
 */
function stillsOf({ media }: ReadBody, { fields }: BodyDeclaration): GivenMedia[] {
  const own = fields.flatMap(({ name, kind }) => (kind === 'image' ? (media.get(name) ?? []) : []));
  return [...own, ...[...media].filter(([name]) => isNested(name)).map(([, given]) => given)];
}

/** Lists the ids of saved faces, by the names of their fields. */
function facesOf({ scalars }: ReadBody, { fields }: BodyDeclaration): ReadonlyMap<string, string> {
  const names = new Set(
    fields
      .flatMap((field) => [field, ...('fields' in field ? field.fields : [])])
      .filter(({ kind }) => kind === 'saved-face')
      .map(({ name }) => name),
  );
  return new Map(
    [...scalars].flatMap(([name, id]) =>
      names.has(name.slice(name.lastIndexOf('.') + 1)) ? [[name, id as string] as const] : [],
    ),
  );
}

/** Returns whether a name belongs to a field inside an object. */
function isNested(name: string): boolean {
  return name.includes('.');
}

function checkWebhookUrl(name: string, text: string, { allowPrivateUrls }: JsonIntakeDeps): void {
  try {
    checkPublicUrl(text, { allowPrivate: allowPrivateUrls });
  } catch (error) {
    if (!(error instanceof NetError)) throw error;
    throw fieldError('INVALID_WEBHOOK_URL', name, `cannot be used: ${error.message}.`, {}, error);
  }
}

function digestOf({ scalars, media, lists }: ReadBody): Buffer {
  const parts = [
    ...Array.from(scalars, ([name, value]) => [name, value]),
    ...Array.from(media, ([name, given]) => [name, idOf(given)]),
    ...Array.from(lists, ([name, given]) => [name, given.map(idOf)]),
  ];
  parts.sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}

function idOf(given: GivenMedia): readonly string[] {
  return given.kind === 'url' ? ['url', given.url] : ['file', given.sha256];
}
