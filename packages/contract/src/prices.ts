/** Credits per unit of work (spec: Limits, Credit costs). An operator may set others in the configuration. */
export interface Prices {
  /** Per photo task. */
  photo: number;
  /** Per generated output of a batch. */
  batchOutput: number;
  /** Per replacement face of a group photo. */
  groupFace: number;
}

export const DEFAULT_PRICES: Prices = { photo: 3, batchOutput: 3, groupFace: 3 };
