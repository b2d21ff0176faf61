import type {
  BatchForm,
  DeletedFace,
  DetectedFaces,
  DetectedPersons,
  Engines,
  FaceForm,
  FaceList,
  GifForm,
  GroupForm,
  Output,
  PhotoForm,
  SavedFace,
  TaskList,
  Verification,
  VideoForm,
  Withdrawal,
} from './api-types.ts';
import { readEvents, type TaskEvent } from './events.ts';
import { formOf, toFormData } from './form-data.ts';
import { GuiseError } from './guise-error.ts';
import { Http, type HttpOptions, type RequestOptions } from './http.ts';
import { Workflow } from './workflow.ts';

/**
 * A client of guise. Its forms have the fields of the HTTP interface; files are Blobs.
 *
 *     const guise = new Guise({ key });
 *     const { taskId } = await guise.photos.swap({ sourceImage, targetImage });
 *     const { result } = await guise.photos.wait(taskId);
 *     await writeFile('out.png', (await guise.download(result.outputs[0])).body);
 */
export class Guise {
  /** Photos: one face on one photo. */
  readonly photos: Workflow<PhotoForm>;
  /** Batches: one face on many photos, or many faces on one. */
  readonly batches: Workflow<BatchForm>;
  /** Group photos: each face gets a face of its own. */
  readonly groups: Workflow<GroupForm>;
  /** Films: the main person, or each of `faces` by its number or place. */
  readonly films: Workflow<VideoForm>;
  readonly gifs: Workflow<GifForm>;
  readonly #http: Http;
  /** Opens streams, which are not sent again by themselves. */
  readonly #once: Http;

  constructor(options: HttpOptions = {}) {
    this.#http = new Http(options);
    this.#once = new Http({ ...options, retryOn: [] });
    const workflow = <Form extends object>(path: string): Workflow<Form> =>
      new Workflow<Form>(this.#http, path, (taskId, signal) => this.events({ taskId, signal }));
    this.photos = workflow('/api/ai-tasks');
    this.batches = workflow('/api/ai-tasks/batch-face-swap');
    this.groups = workflow('/api/ai-tasks/multi-face-swap');
    this.films = workflow('/api/ai-tasks/video');
    this.gifs = workflow('/api/ai-tasks/gif');
  }

  /** Lists tasks, newest first, without links to their results. @throws GuiseError */
  list(
    query: { limit?: number; cursor?: string; status?: string; taskType?: string } = {},
    options: RequestOptions = {},
  ): Promise<TaskList> {
    return this.#http.json('GET', '/api/ai-tasks/list', { ...options, query });
  }

  /**
   * Opens the stream of changes of all tasks, or of one. It ends with its connection; then open it
   * again with the last `id`. @throws GuiseError
   */
  async events(
    options: { readonly taskId?: string; readonly lastEventId?: string } & Pick<
      RequestOptions,
      'signal'
    > = {},
  ): Promise<AsyncGenerator<TaskEvent, void>> {
    const { taskId, lastEventId, signal } = options;
    const response = await this.#once.open('GET', '/api/ai-tasks/events', {
      signal,
      query: { taskId },
      headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
    });
    return readEvents(response.body!);
  }

  /** Finds the faces of a picture. It costs nothing. @throws GuiseError */
  detectFaces(
    image: Blob,
    options: RequestOptions & { readonly preview?: boolean } = {},
  ): Promise<DetectedFaces> {
    return this.#detect({ image, preview: options.preview }, options);
  }

  /** Finds the people of a video or GIF. It costs nothing. @throws GuiseError */
  detectPersons(
    video: Blob,
    options: RequestOptions & { readonly preview?: boolean } = {},
  ): Promise<DetectedPersons> {
    return this.#detect({ video, preview: options.preview }, options);
  }

  #detect<T>(form: object, options: RequestOptions): Promise<T> {
    return this.#http.json('POST', '/api/ai-tasks/detect-faces', { ...options, body: toFormData(form) });
  }

  /** Says what a file tells of its origin: credentials, mark and watermark. @throws GuiseError */
  verify(file: Blob, options: RequestOptions = {}): Promise<Verification> {
    return this.#http.json('POST', '/api/ai-tasks/verify', { ...options, body: toFormData({ file }) });
  }

  /** Verifies without a key: a few files an hour, of at most 30 MB each. @throws GuiseError */
  verifyPublicly(file: Blob, options: RequestOptions = {}): Promise<Verification> {
    return this.#http.json('POST', '/verify', { ...options, body: toFormData({ file }) });
  }

  /** Lists what can draw faces. @throws GuiseError */
  engines(options: RequestOptions = {}): Promise<Engines> {
    return this.#http.json('GET', '/api/ai-tasks/engines', options);
  }

  /** Saved faces, which all workflows take as `sourceFaceId`. */
  readonly faces = {
    save: (form: FaceForm | FormData, options: RequestOptions = {}): Promise<SavedFace> =>
      this.#http.json('POST', '/api/faces', { ...options, creates: true, body: formOf(form) }),
    list: (options: RequestOptions = {}): Promise<FaceList> => this.#http.json('GET', '/api/faces', options),
    get: (id: string, options: RequestOptions = {}): Promise<SavedFace> =>
      this.#http.json('GET', facePath(id), options),
    delete: (id: string, options: RequestOptions = {}): Promise<DeletedFace> =>
      this.#http.json('DELETE', facePath(id), options),
    /** Ends the consent: tasks with the face end, and their results are deleted. */
    withdraw: (id: string, options: RequestOptions = {}): Promise<Withdrawal> =>
      this.#http.json('POST', `${facePath(id)}/withdraw`, options),
  };

  /**
   * Downloads a result. Read it with `.body`, `.blob()` or `.arrayBuffer()`.
   * @throws GuiseError if the link has expired, or the file was deleted
   */
  async download(output: Output | undefined, options: RequestOptions = {}): Promise<Response> {
    if (output?.url === undefined) throw new GuiseError(410, { error: 'The result was deleted.' });
    return this.#http.open('GET', output.url, options);
  }

  /** Sends any other request, such as `/v1/batch-swap` with a JSON body. @throws GuiseError */
  request<T>(
    method: string,
    path: string,
    options: RequestOptions & { readonly body?: object } = {},
  ): Promise<T> {
    return this.#http.json(method, path, options);
  }
}

function facePath(id: string): string {
  return `/api/faces/${encodeURIComponent(id)}`;
}
