/** Credits per unit of work (spec: Limits, Credit costs). An operator may set others in the configuration. */
export interface Prices {
  /** Per photo task. */
  photo: number;
}

export const DEFAULT_PRICES: Prices = { photo: 3 };
