import { CLIP_FORMATS, IMAGE_FORMATS } from '@guise/contract/formats.ts';
import type {
  ManifestContent,
  ManifestRequest,
  ManifestSigner,
} from '@guise/media/provenance/manifest-signer.ts';
import { isSignable, type SignableType } from '@guise/media/provenance/wrap-manifest.ts';
import { COMPOSITE_WITH_TRAINED_ALGORITHMIC_MEDIA, TRAINED_ALGORITHMIC_MEDIA } from '@guise/media/xmp/xmp.ts';
import type { EngineInfo, EngineJob } from '../protocol/engine-job.ts';

/** File types in which the swap of a still can end. */
const STILL_TYPES = typesOf(IMAGE_FORMATS.png, IMAGE_FORMATS.jpeg, IMAGE_FORMATS.webp);

/** Source types that the engine process may ask for; undefined stands for the claim's own. */
const SOURCE_TYPES = new Set<unknown>([
  undefined,
  COMPOSITE_WITH_TRAINED_ALGORITHMIC_MEDIA,
  TRAINED_ALGORITHMIC_MEDIA,
]);

/**
 * Signs the output of one job for the engine process: once, and only a type that the job can write.
 * The process opens untrusted files, so it never gets the key, and the signature only says that
 * guise made a file with this hash.
 */
export class JobSigner {
  readonly #signer: ManifestSigner;
  readonly #types: readonly SignableType[];
  readonly #madeWith: string;
  readonly #watermark: string | undefined;
  #isMeasured = false;
  #isUsed = false;

  /** @param drawnBy what draws the faces of the job */
  constructor(signer: ManifestSigner, job: EngineJob, drawnBy: EngineInfo) {
    this.#madeWith = `${drawnBy.name} ${drawnBy.version}`;
    this.#watermark = 'watermark' in job ? job.watermark : undefined;
    this.#signer = signer;
    this.#types = signableTypesOf(job);
  }

  /**
   * Returns the length of the manifest that `sign` will return. Refusals are thrown at once, so
   * that the process is killed before its next message is read.
   * @throws Error for a second request, or content that the job does not make
   */
  manifestBytes(content: ManifestContent): Promise<number> {
    if (this.#isMeasured) throw new Error('The manifest of a job is measured once.');
    const checked = this.#check(content);
    this.#isMeasured = true;
    return this.#signer.manifestBytes(checked);
  }

  /**
   * Signs the job's output. Refusals are thrown as by `manifestBytes`.
   * @throws Error for a second request, content that the job does not make, or an invalid hash
   */
  sign(request: ManifestRequest): Promise<Uint8Array> {
    if (this.#isUsed) throw new Error('A job is signed once.');
    const content = this.#check(request);
    const { mediaSha256, at } = request;
    if (!(mediaSha256 instanceof Uint8Array)) throw new Error('The hash is not made of bytes.');
    this.#isUsed = true;
    return this.#signer.sign({ ...content, mediaSha256, at });
  }

  /** Takes what the engine process may decide, and nothing else of its message. */
  #check({ contentType, digitalSourceType, parentStore }: ManifestContent): ManifestContent {
    if (!this.#types.includes(contentType)) throw new Error(`The job makes no ${contentType}.`);
    if (!SOURCE_TYPES.has(digitalSourceType)) throw new Error('No result has this digital source type.');
    if (!(parentStore === undefined || parentStore instanceof Uint8Array))
      throw new Error('The manifest store is not made of bytes.');
    return {
      contentType,
      madeWith: this.#madeWith,
      ...(this.#watermark !== undefined && { watermark: this.#watermark }),
      ...(parentStore && { parentStore }),
      ...(digitalSourceType === undefined ? {} : { digitalSourceType }),
    };
  }
}

/** Lists the types in which a job can end. */
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
    case 'check-face':
    case 'identify-faces':
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
