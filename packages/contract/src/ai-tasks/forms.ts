import { AI_TASKS_LIMITS } from '../limits.ts';
import type { FileField, FormDeclaration, ImageFormat, NumberField } from './form.ts';

/** Spec: Photo, accepted image types. */
const PHOTO_FORMATS: readonly ImageFormat[] = ['jpeg', 'png', 'webp', 'gif', 'bmp', 'heif'];

function image(name: string, description: string, formats: readonly ImageFormat[]): FileField {
  return { kind: 'file', name, description, formats, maxBytes: AI_TASKS_LIMITS.imageBytes };
}

/** Spec: Common POST rule; decisions: Restore range. */
function restoreFields(defaults: { face: number; rest: number }): NumberField[] {
  return [
    {
      kind: 'number',
      name: 'faceRestoreVisibility',
      description: 'Opacity of the restored (sharpened, detail-recovered) face over the raw swap; 0 is off.',
      min: 0,
      max: 1,
      default: defaults.face,
    },
    {
      kind: 'number',
      name: 'restoreVisibility',
      description:
        "How strongly the target's own light, grain and sharpness are restored onto the swapped face; 0 is off.",
      min: 0,
      max: 1,
      default: defaults.rest,
    },
  ];
}

/** Spec: Photo. */
export const PHOTO_FORM: FormDeclaration = {
  path: '/api/ai-tasks',
  fields: [
    image('sourceImage', 'The face reference; its largest face is used.', PHOTO_FORMATS),
    image('targetImage', 'The target scene; its largest face is replaced.', PHOTO_FORMATS),
    ...restoreFields({ face: 1, rest: 1 }),
  ],
};

/** Decisions: Detect. */
export const DETECT_FORM: FormDeclaration = {
  path: '/api/ai-tasks/detect-faces',
  fields: [image('image', 'The picture to look for faces in.', PHOTO_FORMATS)],
};
