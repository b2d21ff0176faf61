import type { DetectedPersons } from '@guise/client';
import '@mantine/core/styles/Slider.css';
import { MIN_PART_SECONDS } from '@guise/contract/clip-part.ts';
import { Group, Loader, RangeSlider, Stack, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { SLOTS } from '../../workflows/workflows.ts';
import type { Draft, Face, SavedFace } from './state/draft.ts';
import { changeDraft } from './state/draft-store.ts';
import { FileTile } from './file-tile.tsx';
import { PersonCard } from './person-card.tsx';
import { placeIn, useObjectUrl, useUnseenFilm } from './preview.tsx';
import type { Look } from './state/use-look.ts';
import { WaitNote } from './wait-note.tsx';
import { Failure } from '../../ui/failure.tsx';

/** Times from a person's best moment within which the box is drawn, in seconds. */
const NEAR_SECONDS = 0.3;
/** Step of the handles of the wanted part, seconds. */
const STEP_SECONDS = 0.1;

/** The people of a film that is not searched yet: one list, so that nothing is drawn anew. */
const NOBODY: [] = [];

interface FilmPanelProps {
  readonly draft: Draft;
  readonly film: Look<DetectedPersons>;
  /** The saved faces to choose from. */
  readonly saved: readonly SavedFace[];
}

/** The film to change: a player, its people, and the wanted part. */
export function FilmPanel({ draft, film, saved }: FilmPanelProps) {
  const { film: file, part } = draft;
  const { found, error, waitUntil } = film;
  const url = useObjectUrl(file);
  const player = useRef<HTMLVideoElement>(null);
  const [at, setAt] = useState(0);
  const [chosen, setChosen] = useState<number | null>(null);
  const { isUnseen, handlers } = useUnseenFilm();
  const persons = found?.persons ?? NOBODY;
  const isVideo = file !== null && file.type.startsWith('video/') && !isUnseen && url !== null;
  const choose = (personIndex: number): void => {
    setChosen(personIndex);
    const person = persons.find((each) => each.personIndex === personIndex);
    if (player.current !== null && person !== undefined) player.current.currentTime = person.atSeconds;
  };
  const facesAt = (time: number) =>
    found !== null &&
    persons
      .filter(({ atSeconds }) => Math.abs(atSeconds - time) < NEAR_SECONDS)
      .map(({ personIndex, faceBox }) => (
        <button
          key={personIndex}
          type="button"
          className="face"
          aria-pressed={chosen === personIndex}
          aria-label={`Person ${personIndex}, in the picture`}
          style={placeIn([found.width, found.height], faceBox)}
          onClick={() => choose(personIndex)}
        >
          <span>{personIndex}</span>
        </button>
      ));
  return (
    <Stack gap="sm">
      {isVideo && (
        <div className="player">
          <video
            ref={player}
            src={url}
            controls
            playsInline
            aria-label="The video to change, before the swap"
            onTimeUpdate={({ currentTarget }) => setAt(currentTarget.currentTime)}
            onSeeked={({ currentTarget }) => setAt(currentTarget.currentTime)}
            {...handlers}
          />
          {facesAt(at)}
        </div>
      )}
      {isUnseen && found?.preview !== undefined && (
        <div className="player">
          <img src={found.preview} alt="The video to change, before the swap" />
          {facesAt(persons[0]?.atSeconds ?? 0)}
        </div>
      )}
      <FileTile
        label={SLOTS.video.label}
        accept={`${SLOTS.video.accept},${SLOTS.gif.accept}`}
        file={file}
        size={isVideo || isUnseen ? 'small' : 'large'}
        onFiles={([next]) => changeDraft({ film: next! })}
        onRemove={() => changeDraft({ film: null })}
      />
      <WaitNote until={waitUntil} />
      <Failure>{error}</Failure>
      {file !== null && found === null && error === null && (
        <Group gap="xs" role="status">
          <Loader size="xs" />
          <Text size="sm">Looking for people</Text>
        </Group>
      )}
      {found !== null && (
        <>
          <Text size="sm" c="dimmed" role="status">
            {hint(persons.length, found.complete)}
          </Text>
          {persons.map((person) => (
            <PersonCard
              key={person.personIndex}
              person={person}
              lengthSeconds={found.durationSeconds}
              face={faceOf(draft, person.personIndex)}
              saved={saved}
              isChosen={chosen === person.personIndex}
              canMap={persons.length > 1}
              onChoose={() => choose(person.personIndex)}
              onFace={(face) => {
                const people = withFace(draft, person.personIndex, face);
                // Without a mapping, the first face would be the main person's.
                changeDraft(people.size === 0 ? { people, faces: [], savedFace: null } : { people });
              }}
            />
          ))}
          <div>
            <Text size="sm" id="part">
              {part === null
                ? `The whole film, ${seconds(found.durationSeconds)}`
                : `From ${seconds(part.start)} to ${seconds(part.end)}`}
            </Text>
            <RangeSlider
              mt={4}
              min={0}
              max={found.durationSeconds}
              step={STEP_SECONDS}
              minRange={MIN_PART_SECONDS}
              label={null}
              thumbFromLabel="Start of the part"
              thumbToLabel="End of the part"
              value={[part?.start ?? 0, part?.end ?? found.durationSeconds]}
              onChange={([start, end]) => {
                const isWhole = start === 0 && end >= found.durationSeconds;
                changeDraft({ part: isWhole ? null : { start: rounded(start), end: rounded(end) } });
                if (player.current !== null) player.current.currentTime = start === part?.start ? end : start;
              }}
            />
          </div>
        </>
      )}
    </Stack>
  );
}

/** Returns the face that a person gets. Without a mapping, the main person gets the first face. */
function faceOf({ people, faces, savedFace }: Draft, personIndex: number): Face | null {
  if (people.size > 0) return people.get(personIndex) ?? null;
  return personIndex === 0 ? (savedFace ?? faces[0] ?? null) : null;
}

/** Returns the mapping with another face of a person, or without one. */
function withFace(draft: Draft, personIndex: number, face: Face | null): ReadonlyMap<number, Face> {
  const main = faceOf(draft, 0);
  const people = new Map(draft.people.size > 0 || main === null ? draft.people : [[0, main]]);
  if (face === null) people.delete(personIndex);
  else people.set(personIndex, face);
  return new Map([...people].sort(([one], [other]) => one - other));
}

function hint(count: number, isComplete: boolean): string {
  if (count === 0) return 'No face was found in this film.';
  const found =
    count === 1 ? 'One person was found.' : `${count} people were found. Give a face to those who change.`;
  return isComplete ? found : `${found} The search ended early, so there may be more.`;
}

function seconds(value: number): string {
  return `${value.toFixed(1)} s`;
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
