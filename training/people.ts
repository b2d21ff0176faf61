import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { readPairs } from '../bench/eye/pair-list.ts';

/** What a picture shows, judged by eye. Pictures with `poor` are not used for training. */
export type Shown = 'glasses' | 'hair' | 'beard' | 'thing' | 'poor';

/** A picture of the fixtures. */
export interface PersonPicture {
  /** Path in the fixtures' folder. */
  readonly file: string;
  /** Name of the person, the same in all of the person's pictures. */
  readonly person: string;
  /** What is in front of the face, or on it, such as a beard. Absent: nothing. */
  readonly shows?: readonly Shown[];
}

/** Reads the list of pictures, with the person on each and what it shows. */
export async function readPeople(): Promise<PersonPicture[]> {
  return JSON.parse(await readFile(path.join(import.meta.dirname, 'people.json'), 'utf8')) as PersonPicture[];
}

/** Returns the pictures for training: without poor ones and people of the everyday list. */
export async function learnable(people: readonly PersonPicture[]): Promise<PersonPicture[]> {
  const graded = new Set((await readPairs('everyday')).flatMap(({ source, target }) => [source, target]));
  const gradedPeople = new Set(people.filter(({ file }) => graded.has(file)).map(({ person }) => person));
  return people.filter(({ person, shows }) => !gradedPeople.has(person) && !shows?.includes('poor'));
}

/** Returns whether nothing is in front of a face; a beard is not in front of it. */
export function isBare({ shows = [] }: PersonPicture): boolean {
  return shows.every((each) => each === 'beard');
}
