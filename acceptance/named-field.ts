/** Names that are also plain words: a sentence means them only at its beginning. */
const WORDS = [
  'consent',
  'cursor',
  'file',
  'files',
  'image',
  'limit',
  'mode',
  'name',
  'quality',
  'status',
  'taskId',
  'taskType',
  'dryRun',
  'engine',
  'label',
  'video',
];

/** Names that nothing else is called, wherever they stand. */
const NAMES = [
  'sourceImages?',
  'targetImages?',
  'targetVideo',
  'targetGif',
  'additionalSourceImages',
  'targetFace\\d',
  'faceBox\\d',
  'faceRestoreVisibility',
  'restoreVisibility',
  'startSeconds',
  'endSeconds',
  'preserveScene',
  'sourceFaceId\\d?',
  'source_face_id',
  'photos',
  'source_image',
  'target_images?',
  'target_video',
  'output_format',
  'face_index',
  'face_mappings',
  'start_seconds',
  'end_seconds',
  'face_enhance',
  'webhook_url',
  'Api-Version',
  'Content-Type',
  'Idempotency-Key',
  'Host',
];

/** Sentences about a name that the client made up, as JSON. */
const UNKNOWN = /^Unknown (?:field|query parameter) (".*")\.$/;

const KNOWN = new RegExp(
  `^(?:The (?:query parameter )?)?(${WORDS.join('|')})\\b|(?<!\\w)((?:${NAMES.join('|')})\\b(?:\\[\\d+\\])?(?:\\.\\w+)*)`,
);

/** Finds the field that a sentence of the service names, the first of several. */
export function namedField(sentence: string): { readonly field?: string } {
  const unknown = UNKNOWN.exec(sentence);
  if (unknown !== null) return { field: JSON.parse(unknown[1]!) as string };
  const [, word, name] = KNOWN.exec(sentence) ?? [];
  const field = word ?? name;
  return field === undefined ? {} : { field };
}
