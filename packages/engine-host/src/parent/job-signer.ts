import { CLIP_FORMATS, IMAGE_FORMATS } from '@guise/contract/formats.ts';
import type { ManifestRequest, ManifestSigner } from '@guise/media/provenance/manifest-signer.ts';
import { isSignable, type SignableType } from '@guise/media/provenance/wrap-manifest.ts';
import type { EngineInfo, EngineJob } from '../protocol/engine-job.ts';

/** File types in which the swap of a still can end. */
const STILL_TYPES = typesOf(IMAGE_FORMATS.png, IMAGE_FORMATS.jpeg, IMAGE_FORMATS.webp);

/**
 * Signs the output of one job for the engine process: once, and only a type that the job can write.
 * The process opens untrusted files, so it never gets the key, and the signature only says that
 * guise made a file with this hash.
 */
export class JobSigner {
  readonly #signer: ManifestSigner;
  readonly #types: readonly SignableType[];
  readonly #madeWith: string;
  #isUsed = false;

  /** @param drawnBy what draws the faces of the job */
  constructor(signer: ManifestSigner, job: EngineJob, drawnBy: EngineInfo) {
    this.#madeWith = `${drawnBy.name} ${drawnBy.version}`;
    this.#signer = signer;
    this.#types = signableTypesOf(job);
  }

  /** Returns the length of the manifest that `sign` will return; 0 for a job without one. */
  async manifestBytes(): Promise<number> {
    const [type] = this.#types;
    return type === undefined ? 0 : await this.#signer.manifestBytes(type, this.#madeWith);
  }

  /**
   * Signs the job's output. Refusals are thrown at once, so that the process is killed before its
   * next message is read.
   * @throws Error for a second request, a type that the job does not make, or an invalid hash
   */
  sign({ contentType, mediaSha256, at }: ManifestRequest): Promise<Uint8Array> {
    if (this.#isUsed) throw new Error('A job is signed once.');
    if (!this.#types.includes(contentType)) throw new Error(`The job makes no ${contentType}.`);
    if (!(mediaSha256 instanceof Uint8Array)) throw new Error('The hash is not made of bytes.');
    this.#isUsed = true;
    return this.#signer.sign({ contentType, mediaSha256, at, madeWith: this.#madeWith });
  }
}

/** Lists the types in which a job can end. Their manifests have equal lengths. */
function signableTypesOf(job: EngineJob): readonly SignableType[] {
  switch (job.kind) {
    case 'swap-image':
      return job.options.output?.format === undefined
        ? STILL_TYPES
        : typesOf(IMAGE_FORMATS[job.options.output.format]);
    case 'swap-group':
      return STILL_TYPES;
    case 'swap-video':
    case 'swap-persons':
    case 'join-film':
      return typesOf(CLIP_FORMATS[job.container]);
    case 'detect-faces':
    case 'look-at-clip':
    case 'cut-film':
    case 'study-segment':
    case 'choose-faces':
    case 'draw-segment':
    case 'inspect-network':
    case 'try-providers':
    case 'try-video-hardware':
      return [];
  }
}

function typesOf(...formats: readonly { readonly contentType: string }[]): readonly SignableType[] {
  return formats.map(({ contentType }) => contentType).filter(isSignable);
}
