/**
 * Thread that decodes one HEVC still with libheif as WebAssembly. Hostile data can at most exhaust
 * the thread's memory (2 GiB) and time. The thread ends after each image.
 */
import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';

/** Still to decode. */
export interface HeifJob {
  filePath: string;
  maxPixels: number;
}

/** Pixels of the still, or the reason why there are none. */
export type HeifReply =
  | { ok: true; pixels: Uint8Array; width: number; height: number; channels: 3 | 4 }
  | { ok: false; reason: string };

async function decode({ filePath, maxPixels }: HeifJob, libheifUrl: string): Promise<HeifReply> {
  const { default: loadLibheif } = (await import(
    libheifUrl
  )) as typeof import('libheif-js/libheif-wasm/libheif-bundle.mjs');
  const libheif = loadLibheif();
  const context = libheif.heif_context_alloc();
  if (!context) return { ok: false, reason: 'no memory for a libheif context' };
  const read = libheif.heif_context_read_from_memory(context, await readFile(filePath));
  if (read.code !== libheif.heif_error_code.heif_error_Ok) return { ok: false, reason: read.message };
  const handle = libheif.heif_js_context_get_primary_image_handle(context);
  if (handle.code !== undefined) return { ok: false, reason: handle.message };

  const width = libheif.heif_image_handle_get_width(handle);
  const height = libheif.heif_image_handle_get_height(handle);
  if (!(width > 0 && height > 0 && width * height <= maxPixels)) {
    return { ok: false, reason: `libheif sees ${width} x ${height} pixels` };
  }
  const hasAlpha = libheif.heif_image_handle_has_alpha_channel(handle) !== 0;
  const { heif_chroma_interleaved_RGB: rgb, heif_chroma_interleaved_RGBA: rgba } = libheif.heif_chroma;
  const colourSpace = libheif.heif_colorspace.heif_colorspace_RGB;
  const decoded = await libheif.heif_js_decode_image2(handle, colourSpace, hasAlpha ? rgba : rgb);
  if (decoded.code !== undefined) return { ok: false, reason: decoded.message };
  const plane = decoded.channels[0];
  if (!plane || plane.width !== width || plane.height !== height) return { ok: false, reason: 'no pixels' };

  const channels = hasAlpha ? 4 : 3;
  const pixels = new Uint8Array(width * height * channels);
  for (let y = 0; y < height; y++) {
    const from = y * plane.stride;
    pixels.set(plane.data.subarray(from, from + width * channels), y * width * channels);
  }
  return { ok: true, pixels, width, height, channels };
}

const { job, libheifUrl } = workerData as { readonly job: HeifJob; readonly libheifUrl: string };
const reply = await decode(job, libheifUrl);
parentPort!.postMessage(reply, reply.ok ? [reply.pixels.buffer as ArrayBuffer] : []);
