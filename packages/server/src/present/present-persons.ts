import type { DetectPersonsBody } from '@guise/contract/ai-tasks/schemas.ts';
import { warnOfPerson } from '@guise/contract/warnings.ts';
import type { DetectedFace } from '@guise/contract/work.ts';
import type { LookOutcome } from '../tasks/task.ts';
import { presentPreview } from './present-preview.ts';

/** Presents the people of a clip, in the same form for HTTP and the command line. */
export function presentPersons(clip: LookOutcome): DetectPersonsBody {
  const { durationSeconds, width, height, isComplete, framesLooked } = clip;
  return {
    durationSeconds,
    width,
    height,
    framesLooked,
    complete: isComplete,
    ...presentPreview(clip),
    persons: clip.persons.map(({ personIndex, share, appearances, atSeconds, face, preview }) => ({
      personIndex,
      share: rounded(share, 4),
      appearances: appearances.map(([from, to]) => [rounded(from, 3), rounded(to, 3)]),
      atSeconds,
      faceBox: boxInside(face, width, height),
      ...presentPreview({ preview }),
      warnings: warnOfPerson(personIndex, face),
    })),
  };
}

/** Cuts a box at the edges of the picture, so that clients can send it back. */
function boxInside(
  { x, y, width, height }: DetectedFace,
  right: number,
  bottom: number,
): DetectPersonsBody['persons'][number]['faceBox'] {
  const left = Math.min(right - 1, Math.max(0, x));
  const top = Math.min(bottom - 1, Math.max(0, y));
  return {
    x: rounded(left, 2),
    y: rounded(top, 2),
    width: rounded(Math.max(1, Math.min(right, x + width) - left), 2),
    height: rounded(Math.max(1, Math.min(bottom, y + height) - top), 2),
  };
}

function rounded(value: number, digits: number): number {
  const factor = 10 ** digits;
  return Math.floor(value * factor) / factor;
}
