import type { DetectedFaceBody } from '@guise/contract/ai-tasks/schemas.ts';

/** The files chosen so far, by form field. */
export type Files = Readonly<Record<string, readonly File[]>>;

/** A face of the group photo and the picture of the face that replaces it. */
export interface Mapping {
  readonly face: DetectedFaceBody;
  readonly file: File;
}
