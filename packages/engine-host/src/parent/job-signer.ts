import type { ManifestRequest, ManifestSigner } from '@guise/media/provenance/manifest-signer.ts';
import { isSignable, type SignableType } from '@guise/media/provenance/wrap-manifest.ts';
import type { EngineJob, VideoOutput } from '../protocol/engine-job.ts';

const STILL_TYPES: readonly SignableType[] = ['image/png', 'image/jpeg', 'image/webp'];
const CLIP_TYPES: Readonly<Record<VideoOutput, string>> = {
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  gif: 'image/gif',
};

/**
 * Signs for the engine process what one job makes: once, and a type of file that the job can end
 * in. The process opens strangers' files, so it never holds the key, and what is signed says no
 * more than that guise made a file of this hash.
 */
export class JobSigner {
  readonly #signer: ManifestSigner;
  readonly #types: readonly SignableType[];
  #isUsed = false;

  constructor(signer: ManifestSigner, job: EngineJob) {
    this.#signer = signer;
    this.#types = signableTypesOf(job);
  }

  /** Length of the manifest that `sign` will give; 0 for a job that has none. */
  async manifestBytes(): Promise<number> {
    const [type] = this.#types;
    return type === undefined ? 0 : await this.#signer.manifestBytes(type);
  }

  /**
   * @throws Error for a second request, a type that the job does not make, or a hash that is none
   */
  async sign({ contentType, mediaSha256, at }: ManifestRequest): Promise<Uint8Array> {
    if (this.#isUsed) throw new Error('A job is signed once.');
    if (!this.#types.includes(contentType)) throw new Error(`The job makes no ${contentType}.`);
    if (!(mediaSha256 instanceof Uint8Array)) throw new Error('The hash is not made of bytes.');
    this.#isUsed = true;
    return await this.#signer.sign({ contentType, mediaSha256, at });
  }
}

/** All of them have manifests of the same length. */
function signableTypesOf(job: EngineJob): readonly SignableType[] {
  switch (job.kind) {
    case 'swap-image':
      return job.outputFormat === undefined ? STILL_TYPES : [`image/${job.outputFormat}`];
    case 'swap-group':
      return STILL_TYPES;
    case 'swap-video':
      return [CLIP_TYPES[job.container]].filter(isSignable);
    case 'detect-faces':
      return [];
  }
}
