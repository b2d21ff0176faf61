import { uploadSlots, type Workflow } from './workflows.ts';

/**
 * Rewrites a sentence of the service so that it names fields as the page does, and files by number
 * from 1.
 * @param faceNumbers the page's numbers of the faces to replace in a group photo, in the order they
 * are sent
 */
export function inWords(workflow: Workflow, sentence: string, faceNumbers: readonly number[]): string {
  return nameSlots(workflow, nameFaces(sentence, faceNumbers)).replace(/^The face in the face\b/, 'The face');
}

function nameFaces(sentence: string, faceNumbers: readonly number[]): string {
  return sentence.replace(
    /\b(faceBox|targetFace)(\d+)\b/g,
    (whole, name: string, index: string, at: number) => {
      const number = faceNumbers[Number(index)];
      // A replacement that was taken back since it was sent.
      if (number === undefined) return whole;
      return cased(`${name === 'faceBox' ? 'Box' : 'The replacement of face'} ${number}`, at);
    },
  );
}

function nameSlots(workflow: Workflow, sentence: string): string {
  const labels = new Map(uploadSlots(workflow).map(({ field, label }) => [field, label]));
  const fields = new RegExp(`\\b(${[...labels.keys()].join('|')})\\b(?:\\[(\\d+)\\])?(?=(.?))`, 'g');
  return sentence.replace(
    fields,
    (_whole, name: string, index: string | undefined, next: string, at: number) => {
      // Without the remark on how many files there may be.
      const plain = labels.get(name)!.replace(/ \(.*\)$/, '');
      if (index === undefined) return cased(plain, at);
      return cased(`${plain}, number ${Number(index) + 1}${next === ' ' ? ',' : ''}`, at);
    },
  );
}

/** Begins with a small letter unless the words open the sentence. */
function cased(words: string, at: number): string {
  return at === 0 ? words : words[0]!.toLowerCase() + words.slice(1);
}
