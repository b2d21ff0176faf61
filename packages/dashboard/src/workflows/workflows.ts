import { BATCH_FORM, GIF_FORM, GROUP_FORM, PHOTO_FORM, VIDEO_FORM } from '@guise/contract/ai-tasks/forms.ts';
import type { TaskType } from '@guise/contract/task.ts';
import { type Slot, slotOf } from './slot.ts';

export type WorkflowKind = 'photo' | 'batch' | 'group' | 'video' | 'gif';

/** One of the five workflows in the dashboard, with the form of `/api/ai-tasks`. */
export interface Workflow {
  readonly kind: WorkflowKind;
  readonly taskType: TaskType;
  /** Name in lists and in the menu. */
  readonly name: string;
  /** Path of its page. */
  readonly href: string;
  readonly title: string;
  /** Path to which its form is sent. */
  readonly path: string;
  readonly slots: readonly Slot[];
  /** Optional slot for more photos of the same person; null if the form has none. */
  readonly more: Slot | null;
  readonly options: readonly ('quality' | 'restore')[];
}

/** Label of the field that takes the source photo. */
const FACE_LABEL = 'The face to use';
/** Name of the form field that takes further source photos. */
const MORE_FIELD = 'additionalSourceImages';
/** Label of the field that takes further source photos. */
const MORE_LABEL = 'More photos of this face';

/** Workflows in the order of the menu. */
export const ALL_WORKFLOWS: readonly Workflow[] = [
  {
    kind: 'photo',
    taskType: 'IMAGE_SWAP',
    name: 'Photo',
    href: '/',
    title: 'Swap a face in a photo',
    path: PHOTO_FORM.path,
    slots: [
      slotOf(PHOTO_FORM, 'sourceImage', FACE_LABEL),
      slotOf(PHOTO_FORM, 'targetImage', 'The photo to change'),
    ],
    more: slotOf(PHOTO_FORM, MORE_FIELD, MORE_LABEL),
    options: ['restore'],
  },
  {
    kind: 'batch',
    taskType: 'BATCH_FACE_SWAP',
    name: 'Batch',
    href: '/playground/batch',
    title: 'Swap faces in many photos',
    path: BATCH_FORM.path,
    slots: [
      slotOf(BATCH_FORM, 'sourceImages', 'The face to use (or many)'),
      slotOf(BATCH_FORM, 'targetImages', 'The photos to change (or one)'),
    ],
    more: null,
    options: [],
  },
  {
    kind: 'group',
    taskType: 'MULTI_FACE_SWAP',
    name: 'Group',
    href: '/playground/group',
    title: 'Swap faces in a group photo',
    path: GROUP_FORM.path,
    slots: [slotOf(GROUP_FORM, 'sourceImage', 'The group photo')],
    more: null,
    options: [],
  },
  {
    kind: 'video',
    taskType: 'VIDEO_SWAP',
    name: 'Video',
    href: '/playground/video',
    title: 'Swap a face in a video',
    path: VIDEO_FORM.path,
    slots: [
      slotOf(VIDEO_FORM, 'sourceImage', FACE_LABEL),
      slotOf(VIDEO_FORM, 'targetVideo', 'The video to change'),
    ],
    more: slotOf(VIDEO_FORM, MORE_FIELD, MORE_LABEL),
    options: ['quality', 'restore'],
  },
  {
    kind: 'gif',
    taskType: 'GIF_FACE_SWAP',
    name: 'GIF',
    href: '/playground/gif',
    title: 'Swap a face in a GIF',
    path: GIF_FORM.path,
    slots: [
      slotOf(GIF_FORM, 'sourceImage', FACE_LABEL),
      slotOf(GIF_FORM, 'targetGif', 'The GIF or clip to change'),
    ],
    more: null,
    options: ['restore'],
  },
];

/** Lists all upload slots of a workflow, including optional ones. */
export function uploadSlots({ slots, more }: Workflow): readonly Slot[] {
  return more === null ? slots : [...slots, more];
}

/**
 * Returns the name of a task's workflow. An unknown type, of a newer version of the service, is
 * returned unchanged.
 */
export function workflowName(taskType: string): string {
  return ALL_WORKFLOWS.find((each) => each.taskType === taskType)?.name ?? taskType;
}
