import type { RgbImage } from '@guise/kernels/image.ts';
import type { DecodedImage } from '@guise/media/image/decode.ts';
import { encodeImage, type EncodedFile } from '@guise/media/image/encode.ts';
import { labelImage } from '@guise/media/label/label-image.ts';
import type { ManifestSigner } from '@guise/media/provenance/manifest-signer.ts';
import { readOrigin } from '@guise/media/provenance/origin/read-origin.ts';
import { signStill } from '@guise/media/provenance/sign-still.ts';
import { addWatermark } from '@guise/media/watermark/add-watermark.ts';
import type { StillFormat } from '@guise/contract/formats.ts';

/** Where and how a still is written. */
interface StillFile {
  readonly path: string;
  readonly format?: StillFormat | undefined;
  /** Whether it gets the visible label. */
  readonly label?: boolean | undefined;
  /** Id of its watermark, in hex. */
  readonly watermark?: string | undefined;
}

/**
 * Encodes and signs an image (docs/decisions/0008) in the format of docs/spec/details#output-type.
 * The result repeats what the target says of itself. A label is put on a copy, because the image is
 * still being measured; the watermark, which changes no measurement, into the image.
 */
export async function writeStill(
  image: RgbImage,
  target: DecodedImage & { readonly path: string },
  to: StillFile,
  signer: ManifestSigner,
): Promise<{ encoded: EncodedFile; signMs: number }> {
  const format = to.format ?? (target.format === 'jpeg' || target.format === 'webp' ? target.format : 'png');
  const swapped = { rgb: image, alpha: target.alpha };
  const marked = to.label ? labelImage(swapped) : swapped;
  if (to.watermark !== undefined) {
    const { rgb } = marked;
    addWatermark({ ...rgb, stride: 3 * rgb.width, channels: 3 }, Buffer.from(to.watermark, 'hex'));
  }
  const origin = await readOrigin(target.path);
  let signMs = 0;
  const encoded = await encodeImage(
    marked,
    format,
    to.path,
    async (bytes, contentType) => {
      const signing = performance.now();
      const signed = await signStill(bytes, contentType, signer, origin);
      signMs = performance.now() - signing;
      return signed;
    },
    origin.digitalSourceType,
  );
  return { encoded, signMs };
}
