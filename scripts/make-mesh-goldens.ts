/**
 * Asks MediaPipe's own runtime (the WebAssembly of @mediapipe/face_mesh, run in Chromium) for the
 * landmarks of a sample face and writes them to
 * packages/engine/src/models/goldens/face-landmarks.json. The unit tests hold our conversion of the
 * attention mesh to them.
 *
 * Run it by hand when the package changes: `node launch.cjs scripts/make-mesh-goldens.ts`. Needs a
 * Chromium, found as `chromium` or given by CHROMIUM. Nothing is fetched: the page is served from
 * this process.
 *
 * The same picture is shown many times over, as the frames of a film: MediaPipe then takes each
 * crop from the landmarks of the frame before and comes to rest where landmarks and crop agree, as
 * our own refinement does. So both look at the same crop without our having to reach into its
 * graph.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { packageFile, packageVersion } from '@guise/engine/models/assets/package-files.ts';
import { readSampleFaces } from '../packages/engine/src/samples/sample-faces.ts';

const GOLDEN_FILE = path.resolve(
  import.meta.dirname,
  '../packages/engine/src/models/goldens/face-landmarks.json',
);
const FRAMES = 40;
const TIME_LIMIT_MS = 180_000;
const CHROMIUM_ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu-sandbox',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
];

/** MediaPipe's landmarks, x and y as shares of width and height, z as a share of the width. */
type Landmarks = readonly { readonly x: number; readonly y: number; readonly z: number }[];

const PAGE = `<!doctype html><script src="/package/face_mesh.js"></script><script type="module">
const post = (body) => fetch('/result', { method: 'POST', body: JSON.stringify(body) });
try {
  const image = new Image();
  image.src = '/picture.png';
  await image.decode();
  const mesh = new FaceMesh({ locateFile: (file) => '/package/' + file });
  mesh.setOptions({ maxNumFaces: 1, refineLandmarks: true, useCpuInference: true });
  let landmarks = null;
  mesh.onResults((results) => { landmarks = results.multiFaceLandmarks[0]; });
  for (let frame = 0; frame < ${FRAMES}; frame++) await mesh.send({ image });
  await post({ landmarks });
} catch (error) {
  await post({ error: String(error && error.stack || error) });
}
</script>`;

// Decoded here, because two JPEG decoders would not agree to the last bit.
const picture = await sharp((await readSampleFaces()).face)
  .png()
  .toBuffer();
const { width, height } = await sharp(picture).metadata();
const landmarks = await askMediapipe();
if (landmarks.length !== 478) throw new Error(`MediaPipe gave ${landmarks.length} landmarks`);
const rounded = landmarks.flatMap(({ x, y, z }) => [x * width, y * height, z * width]).map(fourDigits);
await writeFile(
  GOLDEN_FILE,
  `${JSON.stringify({
    runtime: `WebAssembly of @mediapipe/face_mesh ${packageVersion('@mediapipe/face_mesh')} in Chromium`,
    picture: `face of @vladmandic/human ${packageVersion('@vladmandic/human')}`,
    landmarks: rounded,
  })}\n`,
);

async function askMediapipe(): Promise<Landmarks> {
  const profile = await mkdtemp(path.join(tmpdir(), 'guise-chromium-'));
  const answer = Promise.withResolvers<{ landmarks?: Landmarks; error?: string }>();
  const server = createServer(async (request, response) => {
    const name = request.url!.slice(1);
    if (name === 'result') {
      answer.resolve(JSON.parse(await readBody(request)));
      response.end();
    } else if (name === '') response.setHeader('content-type', 'text/html').end(PAGE);
    else if (name === 'picture.png') response.setHeader('content-type', 'image/png').end(picture);
    else if (name.startsWith('package/')) {
      const file = packageFile('@mediapipe/face_mesh', path.basename(name));
      if (name.endsWith('.wasm')) response.setHeader('content-type', 'application/wasm');
      if (name.endsWith('.js')) response.setHeader('content-type', 'text/javascript');
      response.end(await readFile(file));
    } else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const browser = spawn(
    process.env.CHROMIUM ?? 'chromium',
    [...CHROMIUM_ARGUMENTS, `--user-data-dir=${profile}`, `http://127.0.0.1:${port}/`],
    { stdio: 'ignore' },
  );
  browser.once('error', answer.reject);
  const limit = setTimeout(() => answer.reject(new Error('MediaPipe took too long')), TIME_LIMIT_MS);
  try {
    const { landmarks, error } = await answer.promise;
    if (error || !landmarks) throw new Error(`MediaPipe failed: ${error ?? 'it found no face'}`);
    return landmarks;
  } finally {
    clearTimeout(limit);
    const ended = new Promise((resolve) => browser.once('exit', resolve));
    browser.kill();
    await ended;
    server.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

function fourDigits(value: number): number {
  return Number(value.toFixed(4));
}
