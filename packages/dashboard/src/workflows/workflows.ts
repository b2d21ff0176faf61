export interface Slot {
  readonly field: string;
  readonly label: string;
  readonly accept: string;
  readonly isMany?: boolean;
}

/** One of the five as the pages show it; its form is that of `/api/ai-tasks`. */
export interface Workflow {
  readonly taskType: string;
  /** In lists and the menu. */
  readonly name: string;
  /** Its page. */
  readonly href: string;
  readonly title: string;
  readonly path: string;
  readonly slots: readonly Slot[];
  /** `more`: further photos of the face. */
  readonly options: readonly ('more' | 'quality' | 'restore')[];
}

const STILLS = 'image/jpeg,image/png,image/webp,image/heic,image/heif,.heic,.heif';
/** An optional field: more photos of one and the same person. */
export const MORE: Slot = {
  field: 'additionalSourceImages',
  label: 'More photos of this face',
  accept: STILLS,
  isMany: true,
};
const face: Slot = { field: 'sourceImage', label: 'The face to use', accept: STILLS };

export const WORKFLOWS = {
  photo: {
    taskType: 'IMAGE_SWAP',
    name: 'Photo',
    href: '/',
    title: 'Swap a face in a photo',
    path: '/api/ai-tasks',
    slots: [
      { ...face, accept: `${STILLS},image/gif,image/bmp` },
      { field: 'targetImage', label: 'The photo to change', accept: `${STILLS},image/gif,image/bmp` },
    ],
    options: ['more', 'restore'],
  },
  batch: {
    taskType: 'BATCH_FACE_SWAP',
    name: 'Batch',
    href: '/playground/batch',
    title: 'Swap faces in many photos',
    path: '/api/ai-tasks/batch-face-swap',
    slots: [
      {
        field: 'sourceImages',
        label: 'The face to use (or many)',
        accept: `${STILLS},image/avif`,
        isMany: true,
      },
      {
        field: 'targetImages',
        label: 'The photos to change (or one)',
        accept: `${STILLS},image/avif`,
        isMany: true,
      },
    ],
    options: [],
  },
  group: {
    taskType: 'MULTI_FACE_SWAP',
    name: 'Group',
    href: '/playground/group',
    title: 'Swap faces in a group photo',
    path: '/api/ai-tasks/multi-face-swap',
    slots: [{ field: 'sourceImage', label: 'The group photo', accept: 'image/jpeg,image/png,image/webp' }],
    options: [],
  },
  video: {
    taskType: 'VIDEO_SWAP',
    name: 'Video',
    href: '/playground/video',
    title: 'Swap a face in a video',
    path: '/api/ai-tasks/video',
    slots: [
      face,
      { field: 'targetVideo', label: 'The video to change', accept: 'video/mp4,video/quicktime,video/webm' },
    ],
    options: ['more', 'quality', 'restore'],
  },
  gif: {
    taskType: 'GIF_FACE_SWAP',
    name: 'GIF',
    href: '/playground/gif',
    title: 'Swap a face in a GIF',
    path: '/api/ai-tasks/gif',
    slots: [
      face,
      { field: 'targetGif', label: 'The GIF or clip to change', accept: 'image/gif,video/mp4,video/webm' },
    ],
    options: ['restore'],
  },
} satisfies Record<string, Workflow>;

export const ALL_WORKFLOWS: readonly Workflow[] = Object.values(WORKFLOWS);

/** Of a task; a later version's, by its own word. */
export function workflowName(taskType: string): string {
  return ALL_WORKFLOWS.find((each) => each.taskType === taskType)?.name ?? taskType;
}

/** As the service names a slot's file in what it answers. */
export function partName({ field, isMany }: Slot, index: number): string {
  return isMany === true ? `${field}[${index}]` : field;
}

/**
 * A sentence of the service, its fields called as the page calls them; of several files with the number, from 1.
 * @param faceNumbers of a group photo: as the page shows them, of the replacements in the order they are sent.
 */
export function inWords({ slots }: Workflow, sentence: string, faceNumbers: readonly number[]): string {
  const fields = new RegExp(
    `\\b(${[...slots, MORE].map(({ field }) => field).join('|')})\\b(?:\\[(\\d+)\\])?(?=(.?))`,
    'g',
  );
  const ofFaces = sentence.replace(
    /\b(faceBox|targetFace)(\d+)\b/g,
    (whole, name: string, index: string, at: number) => {
      const number = faceNumbers[Number(index)];
      // Taken back since it was sent.
      if (number === undefined) return whole;
      return cased(`${name === 'faceBox' ? 'Box' : 'The replacement of face'} ${number}`, at);
    },
  );
  return ofFaces.replace(
    fields,
    (_whole, name: string, index: string | undefined, next: string, at: number) => {
      const { label } = [...slots, MORE].find(({ field }) => field === name)!;
      // What the page says of how many there may be.
      const plain = label.replace(/ \(.*\)$/, '');
      if (index === undefined) return cased(plain, at);
      return cased(`${plain}, number ${Number(index) + 1}${next === ' ' ? ',' : ''}`, at);
    },
  );
}

function cased(words: string, at: number): string {
  return at === 0 ? words : words[0]!.toLowerCase() + words.slice(1);
}
