import { TaskFailure } from '@guise/contract/errors.ts';
import type { ClipPart } from '@guise/contract/work.ts';
import type { ClipPerson } from '@guise/engine/pipeline/clip-look.ts';
import type { Engine } from '@guise/engine/pipeline/engine.ts';
import type { FaceAnchor, MappedPerson } from '@guise/engine/pipeline/mapped-persons.ts';
import type { PersonMapping } from '../protocol/engine-job.ts';
import { personsOfClip } from './look-at-clip-job.ts';

/** A clip with mapped people. */
export interface MappedClip {
  readonly mappings: readonly PersonMapping[];
  readonly targetPath: string;
  /** Wanted part of the clip. Default: all of it. */
  readonly part?: ClipPart | undefined;
  /** Name of the clip in error messages: "target video" or "target GIF". */
  readonly what: string;
}

/**
 * Finds where each mapping's person is, in seconds of the wanted part.
 * @throws TaskFailure FACE_NOT_FOUND that names the mapping; MediaError
 */
export async function findMappedPersons(
  engine: Engine,
  { mappings, targetPath, part, what }: MappedClip,
  signal: AbortSignal,
): Promise<MappedPerson[]> {
  const isByIndex = mappings.some(({ face }) => 'personIndex' in face);
  const persons: readonly ClipPerson[] = isByIndex ? await personsOfClip(engine, targetPath, signal) : [];
  return mappings.map(({ name, face }) => {
    const anchors = 'personIndex' in face ? sightingsOf(name, what, face.personIndex, persons) : [face];
    const inPart = anchors.flatMap((anchor) => inside(anchor, part));
    if (inPart.length === 0)
      throw new TaskFailure(
        'FACE_NOT_FOUND',
        `${name}: the person is not in the wanted part of the ${what}.`,
      );
    return { name, anchors: inPart };
  });
}

function sightingsOf(
  name: string,
  what: string,
  personIndex: number,
  persons: readonly ClipPerson[],
): readonly FaceAnchor[] {
  const person = persons[personIndex];
  if (person !== undefined) return person.sightings;
  throw new TaskFailure(
    'FACE_NOT_FOUND',
    `${name}: the ${what} has no person with personIndex ${personIndex}; it has ${persons.length}.`,
  );
}

function inside(anchor: FaceAnchor, part: ClipPart | undefined): FaceAnchor[] {
  if (part === undefined) return [anchor];
  const { startSeconds, endSeconds } = part;
  if (anchor.seconds < startSeconds || anchor.seconds > endSeconds) return [];
  return [{ ...anchor, seconds: anchor.seconds - startSeconds }];
}
