/**
 * Named regions of the face in an atlas: planes of `side * side` values in 0..1, row-major from the
 * forehead down.
 */
export interface RegionMasks {
  readonly side: number;
  /** Plane of 1 inside the face's oval. */
  readonly oval: Float32Array;
  /** Opacity of the swapped face: 0 at the oval, 1 a little inside, 0 in the inner mouth. */
  readonly opacity: Float32Array;
  /** Plane of 1 in the eyes and the inner mouth, hard. */
  readonly holes: Float32Array;
  /** 1 inside the eyes, 0.5 along the lids' edges. */
  readonly softEyes: Float32Array;
  /** 1 on brows, lids, nostrils and lips, which have other colours than skin. */
  readonly features: Float32Array;
  /** 1 in the holes of the nose, soft at their edges. */
  readonly nostrils: Float32Array;
  /** 1 on the brows, hard. */
  readonly brows: Float32Array;
  /** 1 on the brows, soft at their edges. */
  readonly browsSoft: Float32Array;
  /**
   * Middle of the face, from brows to mouth. Dark texels there are shading, creases and freckles,
   * and hardly ever hair.
   */
  readonly centre: Float32Array;
  /** Chin and the skin below the mouth, soft. */
  readonly chin: Float32Array;
  /** Eyes with lids and lashes, soft. */
  readonly lids: Float32Array;
  /** Brows with their surroundings, soft. */
  readonly browArea: Float32Array;
  /** 1 where skin is almost always bare. */
  readonly core: Float32Array;
  /** Probability of hair and background: forehead, temples, sides. */
  readonly hairZone: Float32Array;
  /** Probability of a beard. */
  readonly beardZone: Float32Array;
  /** Probability of glasses. */
  readonly glassesZone: Float32Array;
  /** Frees the masks that few steps need. They are made again on their next use. */
  dropSeldomMasks(): void;
}
