import type { Verification } from '@guise/contract/ai-tasks/verification.ts';

/** An invisible watermark, as far as an answer says anything about it. */
interface Watermark {
  readonly found: boolean;
  /** How sure the reading is, from 0 to 1. */
  readonly confidence?: number;
  readonly id?: string;
  readonly ownInstallation?: boolean;
}

/** Returns what an answer says about a watermark; null if it says nothing. */
export function watermarkOf(verification: Verification): Watermark | null {
  return (verification as { readonly watermark?: Watermark | null }).watermark ?? null;
}
