import type { FaceTrait } from '@guise/contract/work.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { pyramidOf } from '@guise/kernels/scale/pyramid.ts';
import type { Face } from '../face/geometry/face.ts';
import type { MeshSwapper } from '../mesh/swapper.ts';
import { frontOfFace } from './source-photos.ts';

/** A face and its traits that may harm a swap. */
export interface ReviewedFace {
  readonly face: Face;
  readonly traits: readonly FaceTrait[];
}

/** The two faces of a swap. A video has many target faces, so its target is left out. */
export interface ReviewedFaces {
  readonly source: ReviewedFace;
  readonly target?: ReviewedFace;
}

/** Reviews of faces, kept as long as the face objects, for the other items of a batch. */
const reviews = new WeakMap<Face, Promise<ReviewedFace>>();

/** Reviews a face of an image; see `Engine.review`. */
export function reviewFace(
  { swapper }: { readonly swapper: MeshSwapper },
  image: RgbImage,
  face: Face,
): Promise<ReviewedFace> {
  const review = async (): Promise<ReviewedFace> => {
    const front = await frontOfFace(swapper, { image, face });
    return { face, traits: swapper.review(pyramidOf(image), face, front) };
  };
  const reviewed = reviews.get(face) ?? review();
  reviews.set(face, reviewed);
  return reviewed;
}
