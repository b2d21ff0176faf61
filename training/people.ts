import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { readPairs } from '../bench/eye/pair-list.ts';

/** What a picture shows, as seen by eye; `poor` is one from which nothing is learned. */
export type Shown = 'glasses' | 'hair' | 'beard' | 'thing' | 'poor';

/** A picture of the fixtures. */
export interface PersonPicture {
  /** File under the fixtures' folder. */
  readonly file: string;
  /** Name that all the pictures of one person share. */
  readonly person: string;
  /** What lies in front of the face (a beard lies on it); absent: nothing. */
  readonly shows?: readonly Shown[];
}

/** Reads who is on which picture, and what they wear. */
export async function readPeople(): Promise<PersonPicture[]> {
  return JSON.parse(await readFile(path.join(import.meta.dirname, 'people.json'), 'utf8')) as PersonPicture[];
}

/** Returns the pictures that networks may learn from: nobody of them is in the everyday list. */
export async function learnable(people: readonly PersonPicture[]): Promise<PersonPicture[]> {
  const graded = new Set((await readPairs('everyday')).flatMap(({ source, target }) => [source, target]));
  const gradedPeople = new Set(people.filter(({ file }) => graded.has(file)).map(({ person }) => person));
  return people.filter(({ person, shows }) => !gradedPeople.has(person) && !shows?.includes('poor'));
}

/** Returns whether nothing lies in front of a face. */
export function isBare({ shows = [] }: PersonPicture): boolean {
  return shows.every((each) => each === 'beard');
}
