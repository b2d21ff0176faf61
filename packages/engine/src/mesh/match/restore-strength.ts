/** How much is restored after a swap. */
export interface RestoreStrength {
  /** 0..1: opacity of the sharpened face over the raw one. */
  readonly faceRestoreVisibility: number;
  /** 0..1: how strongly the target's local light, grain and sharpness come back. */
  readonly restoreVisibility: number;
}
