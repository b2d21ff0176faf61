import { BATCH_FORM, GIF_FORM, GROUP_FORM, PHOTO_FORM, VIDEO_FORM } from '@guise/contract/ai-tasks/forms.ts';
import type { TaskType } from '@guise/contract/task.ts';
import { slotOf } from './slot.ts';

/** The names of the workflows, in the order in which lists show them. */
const WORKFLOW_NAMES: Readonly<Record<TaskType, string>> = {
  IMAGE_SWAP: 'Photo',
  BATCH_FACE_SWAP: 'Batch',
  MULTI_FACE_SWAP: 'Group',
  VIDEO_SWAP: 'Video',
  GIF_FACE_SWAP: 'GIF',
};

/** Workflows for choices, with the values by which tasks are filtered. */
export const WORKFLOW_CHOICES = Object.entries(WORKFLOW_NAMES).map(([value, label]) => ({ value, label }));

/** Colours of the workflows in charts. */
const WORKFLOW_COLORS: Readonly<Record<string, string>> = {
  Photo: 'pine.6',
  Batch: 'blue.6',
  Group: 'violet.5',
  Video: 'orange.6',
  GIF: 'pink.5',
};

/**
 * Returns the name of a task's workflow. An unknown type, of a newer version of the service, is
 * returned unchanged.
 */
export function workflowName(taskType: string): string {
  return WORKFLOW_NAMES[taskType as TaskType] ?? taskType;
}

/** Returns the colour of a workflow in charts, always the same one. */
export function workflowColor(name: string): string {
  return WORKFLOW_COLORS[name] ?? 'gray.6';
}

/** The places for files on the page of swaps, with the formats that the service takes there. */
export const SLOTS = {
  face: slotOf(PHOTO_FORM, 'sourceImage', 'The face to use'),
  photo: slotOf(PHOTO_FORM, 'targetImage', 'The photo to change'),
  batchFaces: slotOf(BATCH_FORM, 'sourceImages', 'The faces to use'),
  photos: slotOf(BATCH_FORM, 'targetImages', 'The photos to change'),
  group: slotOf(GROUP_FORM, 'sourceImage', 'The group photo'),
  groupFace: slotOf(GROUP_FORM, 'targetFace0', 'Replacement face'),
  filmFace: slotOf(VIDEO_FORM, 'sourceImage', 'The face to use'),
  video: slotOf(VIDEO_FORM, 'targetVideo', 'The video or GIF to change'),
  gif: slotOf(GIF_FORM, 'targetGif', 'The video or GIF to change'),
} as const;
