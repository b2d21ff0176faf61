import type { Guise, Task, Workflow } from '@guise/client';
import { GUISE_VERSION } from '@guise/contract/version.ts';
import { McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Folder } from './folder.ts';

/** What a client tells its model about all tools. */
const INSTRUCTIONS =
  'Tools of guise, a face-swap service. Use a face only if its person has agreed. All paths are inside one folder. ' +
  'Outputs are new files; nothing is overwritten. A swap costs credits; `quote` tells how many. ' +
  '`likeness` (0 to 1) says how alike source and result are.';

const file = (what: string): z.ZodString => z.string().min(1).describe(`Path of ${what}, in the folder.`);
const numberOf = (what: string): z.ZodNumber =>
  z.number().int().min(0).describe(`Number of the ${what} to replace, as \`detect\` tells it.`);
const newFace = file('a photo of the new face');
const consent = z
  .string()
  .describe('Who agreed to this use of the face, and how. Ask the user; never make it up.');
const quote = z.boolean().describe('Whether to tell only the price and warnings, and make nothing.');
/** Fields of all swaps. */
const making = { output: file('the new file'), consent: consent.optional(), quote: quote.optional() };

/** Makes the server with all tools. */
export function makeServer(guise: Guise, folder: Folder): McpServer {
  const server = new McpServer({ name: 'guise', version: GUISE_VERSION }, { instructions: INSTRUCTIONS });

  /** Adds a tool, which answers with JSON. What it throws is told to the client. */
  function add<Shape extends z.ZodRawShape>(
    name: string,
    description: string,
    shape: Shape,
    call: (input: z.infer<z.ZodObject<Shape>>, context: ServerContext) => Promise<object>,
  ): void {
    const annotations = { readOnlyHint: !('output' in shape), destructiveHint: false, openWorldHint: false };
    const inputSchema = z.object(shape);
    server.registerTool(name, { description, annotations, inputSchema }, async (input, context) => ({
      content: [{ type: 'text', text: JSON.stringify(await call(input, context), null, 1) }],
    }));
  }

  /** Makes a task, waits for its end, and saves its result. A cancelled call cancels the task. */
  async function run<Form extends object>(
    { mcpReq }: ServerContext,
    workflow: Workflow<Form>,
    form: Form,
    { output, quote: isQuote }: { output: string; quote?: boolean | undefined },
  ): Promise<object> {
    const { signal } = mcpReq;
    if (isQuote) return workflow.quote(form, { signal });
    const place = await folder.placeFor(output);
    // Without the signal: a request that is given up may have made a task.
    const { taskId } = await workflow.swap(form);
    try {
      const { result } = await workflow.wait(taskId, { signal, onChange: progressOf(mcpReq) });
      const { contentType, width, height } = result.outputs[0]!;
      await folder.save(place, (await guise.download(result.outputs[0], { signal })).body!);
      const { identitySimilarity: likeness, frames, warnings, credits } = result.receipt;
      return { saved: output, contentType, width, height, likeness, frames, warnings, credits };
    } catch (error) {
      if (signal.aborted) await workflow.cancel(taskId).catch(() => null);
      throw error;
    }
  }

  add(
    'swap_photo',
    'Puts the face of one photo onto the largest face of another photo.',
    { source: file('a photo of the face to use'), target: file('the photo to change'), ...making },
    async ({ source, target, ...options }, context) => {
      const [sourceImage, targetImage] = [await folder.read(source), await folder.read(target)];
      return run(context, guise.photos, { sourceImage, targetImage, consent: options.consent }, options);
    },
  );

  const groupFaces = z.array(z.object({ face: newFace, face_index: numberOf('face') })).min(1);
  add(
    'swap_group',
    'Replaces chosen faces of a group photo.',
    { photo: file('the group photo'), faces: groupFaces, ...making },
    async ({ photo, faces, ...options }, context) => {
      const sourceImage = await folder.read(photo);
      const found = (await guise.detectFaces(sourceImage, { signal: context.mcpReq.signal })).faces;
      const mapped = faces.map(async ({ face, face_index: index }) => {
        const faceBox = found[index];
        if (!faceBox) throw new Error(`${photo} has ${found.length} faces, and none with number ${index}.`);
        return { faceBox, targetFace: await folder.read(face) };
      });
      const form = { sourceImage, faces: await Promise.all(mapped), consent: options.consent };
      return run(context, guise.groups, form, options);
    },
  );

  const seconds = z.number().min(0).optional().describe('In seconds. Only that part is saved and charged.');
  const persons = z.array(z.object({ face: newFace, person_index: numberOf('person') })).optional();
  add(
    'swap_film',
    'Replaces the main person of a video or GIF by `source`, or several people by `people`.',
    {
      film: file('an MP4, MOV, WebM or GIF'),
      source: file('a photo of the face for the main person').optional(),
      people: persons,
      start_seconds: seconds,
      end_seconds: seconds,
      ...making,
    },
    async ({ film, source, people = [], start_seconds, end_seconds, ...options }, context) => {
      if ((source === undefined) === (people.length === 0)) throw new Error('Send either source or people.');
      const sourceImage = source === undefined ? undefined : await folder.read(source);
      const mapped = people.map(async ({ face, person_index: personIndex }) => {
        return { faceBox: { personIndex }, targetFace: await folder.read(face) };
      });
      const part = { startSeconds: start_seconds, endSeconds: end_seconds, consent: options.consent };
      const form = { sourceImage, faces: await Promise.all(mapped), ...part };
      const clip = await folder.read(film);
      return /\.gif$/i.test(film)
        ? run(context, guise.gifs, { targetGif: clip, ...form }, options)
        : run(context, guise.films, { targetVideo: clip, ...form }, options);
    },
  );

  add(
    'detect',
    'Finds the faces of a photo, or the people of a video or GIF: how many, where, and how suitable. It is free.',
    { file: file('the photo, video or GIF') },
    async ({ file: name }, { mcpReq }) => {
      const find = /\.(mp4|m4v|mov|webm|gif)$/i.test(name) ? 'detectPersons' : 'detectFaces';
      return guise[find](await folder.read(name), { signal: mcpReq.signal });
    },
  );

  add(
    'verify',
    'Tells whether a file says that it was made by AI, and whether this guise made it. It is free.',
    { file: file('the file to check') },
    async ({ file: name }, { mcpReq }) => guise.verify(await folder.read(name), { signal: mcpReq.signal }),
  );

  add(
    'list_tasks',
    'Lists the latest tasks of the account, newest first.',
    { limit: z.number().int().min(1).max(100).default(10) },
    ({ limit }, { mcpReq }) => guise.list({ limit }, { signal: mcpReq.signal }),
  );

  return server;
}

/** Makes what tells a client of progress, if it asks for that. Each number is above the last. */
function progressOf({ _meta: meta, notify }: ServerContext['mcpReq']): (task: Task) => void {
  let last = -1;
  return ({ status, result }) => {
    const progress = result !== null && 'progress' in result ? result.progress : 0;
    if (meta?.progressToken === undefined || progress <= last) return;
    last = progress;
    const params = { progressToken: meta.progressToken, progress, total: 1, message: status.toLowerCase() };
    notify({ method: 'notifications/progress', params }).catch(() => null);
  };
}
