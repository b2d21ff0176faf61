import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { MEBIBYTE } from '@guise/contract/limits.ts';
import type { Service } from '../acceptance/service.ts';
import { round, type Figure } from './report/figures.ts';
import { bearer } from './photo-client.ts';
import type { BenchPictures } from './pictures.ts';

const MAX_STALL_MS = 20;
const MAX_GROWTH_MIB = 150;
/** Longest time until a span of the probe ends. */
const SETTLE_MS = 150;

/**
 * Measures how long the event loop stalls while the API receives its largest bodies, one after
 * another.
 * @param stallsFile file of the probe that is preloaded into the service
 */
export async function benchStalls(
  { url }: Service,
  apiKey: string,
  pictures: BenchPictures,
  stallsFile: string,
): Promise<Figure[]> {
  const large = padded(pictures.small, 30 * MEBIBYTE - 4096);
  const huge = padded(pictures.small, 92 * MEBIBYTE);
  const many = padded(pictures.small, 4.5 * MEBIBYTE);
  const base64 = padded(pictures.small, 25 * MEBIBYTE).toString('base64');
  const json = `{"source_image":"${base64}","target_image":"${base64}"}`;
  const form = (path: string, parts: readonly (readonly [string, Buffer | string])[]) => () =>
    send(`${url}/api/ai-tasks${path}`, apiKey, formOf(parts));
  const v1 = (body: string) => () => send(`${url}/v1/image-swap`, apiKey, body);
  const cases: Record<string, () => Promise<unknown>> = {
    'photo, 60 MiB form': form('', [
      ['sourceImage', large],
      ['targetImage', large],
    ]),
    'batch, 90 MiB form of 20': form('/batch-face-swap', [
      ['mode', 'singleToMulti'],
      ['sourceImages', many],
      ...Array.from({ length: 19 }, () => ['targetImages', many] as const),
    ]),
    'video, 92 MiB form': form('/video', [
      ['sourceImage', pictures.small],
      ['targetVideo', huge],
    ]),
    'gif, 92 MiB form': form('/gif', [
      ['sourceImage', pictures.small],
      ['targetGif', huge],
    ]),
    'group, 60 MiB form': form('/multi-face-swap', [
      ['sourceImage', large],
      ['targetFace0', large],
      ['faceBox0', '{"x":0.1,"y":0.1,"width":0.8,"height":0.8}'],
    ]),
    'detect-faces, 30 MiB form': form('/detect-faces', [['image', large]]),
    'verify, 92 MiB form': form('/verify', [['file', huge]]),
    'image-swap, 67 MB JSON': v1(json),
    'image-swap, three at once': () => Promise.all([v1(json)(), v1(json)(), v1(json)()]),
    'image-swap, 70 MB of escapes': v1(`{"source_image":"${'\\/'.repeat(35e6)}"}`),
    'video-swap, 67 MB JSON': () =>
      send(`${url}/v1/video-swap`, apiKey, json.replace('target_image', 'target_video')),
  };
  const figures: Figure[] = [];
  const started = readProbe(stallsFile, 0).residentMiB;
  let peakMiB = 0;
  for (const [name, run] of Object.entries(cases)) {
    await delay(SETTLE_MS);
    const since = Date.now();
    await run();
    await delay(SETTLE_MS);
    const { stallMs, residentMiB } = readProbe(stallsFile, since);
    peakMiB = Math.max(peakMiB, residentMiB);
    figures.push({ name, value: round(stallMs), unit: 'ms', goal: { atMost: MAX_STALL_MS } });
  }
  const growth = peakMiB - started;
  return [
    ...figures,
    { name: 'API memory, growth', value: growth, unit: 'MiB', goal: { atMost: MAX_GROWTH_MIB } },
  ];
}

/** Adds bytes after the end of a JPEG. It stays valid, and its picture stays the same. */
function padded(picture: Buffer, bytes: number): Buffer {
  return Buffer.concat([picture, randomBytes(Math.floor(bytes) - picture.length)]);
}

function formOf(parts: readonly (readonly [string, Buffer | string])[]): FormData {
  const form = new FormData();
  for (const [name, value] of parts) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, new Blob([new Uint8Array(value)]), 'file.jpg');
  }
  return form;
}

/**
 * Sends a body and accepts any answer, because the API refuses some of these bodies after it has
 * read them.
 */
async function send(url: string, apiKey: string, body: FormData | string): Promise<void> {
  const headers: Record<string, string> = bearer(apiKey);
  if (typeof body === 'string') headers['content-type'] = 'application/json';
  const response = await fetch(url, { method: 'POST', headers, body });
  await response.arrayBuffer();
}

/** Returns the longest stall and the peak memory of the spans since a time (ms since the epoch). */
function readProbe(file: string, sinceMs: number): { stallMs: number; residentMiB: number } {
  const spans = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map(Number) as [number, number, number])
    .filter(([endMs]) => endMs >= sinceMs);
  return {
    stallMs: Math.max(...spans.map(([, stallMs]) => stallMs)),
    residentMiB: Math.max(...spans.map(([, , residentMiB]) => residentMiB)),
  };
}
