import type { DetectedFaceBody } from '@guise/contract/ai-tasks/schemas.ts';

/** The chosen files by form field. */
export type Files = Readonly<Record<string, readonly File[]>>;

/** A face of the group photo and the photo with its new face. */
export interface Mapping {
  readonly face: DetectedFaceBody;
  readonly file: File;
}
