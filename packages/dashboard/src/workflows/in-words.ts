import { uploadSlots, type Workflow } from './workflows.ts';

/** Names for the files of a form field in messages. */
interface FieldWords {
  /** Name for the field's file or for all its files. */
  readonly file: string;
  /** Name for one of several files, by its number from 1. */
  readonly numbered: (number: number) => string;
  /** Beginning of a message about the face in a file. */
  readonly face: (file: string) => string;
}

/** Names for fields whose label cannot be used, because it names a face or several files. */
const FIELD_WORDS: Readonly<Record<string, Partial<FieldWords>>> = {
  sourceImage: { file: 'the photo of the face to use', face: () => 'The face to use' },
  sourceImages: {
    file: 'the list of faces to use',
    numbered: (number) => `photo ${number} of the faces to use`,
  },
  targetImages: { file: 'the list of photos to change', numbered: (number) => `photo ${number} to change` },
  additionalSourceImages: {
    file: 'the list of more photos of this face',
    numbered: (number) => `photo ${number} of “More photos of this face”`,
  },
};

/**
 * Rewrites a message of the service with the names that the page uses for fields, and with numbers
 * of files from 1.
 * @param faceNumbers the page's numbers of the replaced faces in a group photo, in the order in
 * which they
 *   are sent
 */
export function inWords(workflow: Workflow, sentence: string, faceNumbers: readonly number[]): string {
  const words = wordsOf(workflow);
  const fields = [...words.keys(), 'faceBox\\d+', 'targetFace\\d+'].join('|');
  const mention = new RegExp(`(^The face in )?\\b(${fields})\\b(?:\\[(\\d+)\\])?`, 'g');
  return sentence.replace(
    mention,
    (whole, face: string | undefined, field: string, index: string | undefined, at: number) => {
      const named = words.get(field) ?? wordsOfReplacement(field, faceNumbers);
      // The user has removed this replacement since the request.
      if (named === null) return whole;
      const file = index === undefined ? named.file : named.numbered(Number(index) + 1);
      if (face !== undefined) return named.face(file);
      return at === 0 ? file[0]!.toUpperCase() + file.slice(1) : file;
    },
  );
}

function wordsOf(workflow: Workflow): Map<string, FieldWords> {
  return new Map(
    uploadSlots(workflow).map(({ field, label }) => {
      // Leaves out the remark about the number of files.
      const file = withSmallStart(label.replace(/ \(.*\)$/, ''));
      // In a group workflow, this field is the photo with the faces to replace.
      const own = workflow.kind === 'group' ? {} : FIELD_WORDS[field];
      return [field, { ...plainWords(file), ...own }];
    }),
  );
}

function wordsOfReplacement(field: string, faceNumbers: readonly number[]): FieldWords | null {
  const [, name, index] = /^(\D+)(\d+)$/.exec(field)!;
  const number = faceNumbers[Number(index)];
  if (number === undefined) return null;
  return plainWords(name === 'faceBox' ? `box ${number}` : `the photo for face ${number}`);
}

function plainWords(file: string): FieldWords {
  return {
    file,
    numbered: (number) => `${file}, number ${number}`,
    face: (each) => `The face in ${each}`,
  };
}

function withSmallStart(text: string): string {
  return text[0]!.toLowerCase() + text.slice(1);
}
