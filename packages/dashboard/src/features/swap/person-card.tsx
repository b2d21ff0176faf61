import type { DetectedPersons } from '@guise/client';
import { Group, Text, UnstyledButton } from '@mantine/core';
import { PersonIcon } from '@primer/octicons-react';
import { SLOTS } from '../../workflows/workflows.ts';
import { FaceSlot } from './face-slot.tsx';
import type { Face, SavedFace } from './state/draft.ts';

interface PersonCardProps {
  readonly person: DetectedPersons['persons'][number];
  readonly lengthSeconds: number;
  /** The face that the person gets; null if the person stays unchanged. */
  readonly face: Face | null;
  /** The saved faces to choose from. */
  readonly saved: readonly SavedFace[];
  readonly isChosen: boolean;
  /** Whether the card has a place for a face. If there is one person, the page has it. */
  readonly canMap: boolean;
  readonly onChoose: () => void;
  readonly onFace: (face: Face | null) => void;
}

/** A person of a film: face, share of the time, a place for the new face, and when it appears. */
export function PersonCard(props: PersonCardProps) {
  const { person, lengthSeconds, face, saved, isChosen, canMap, onChoose, onFace } = props;
  const name = `Person ${person.personIndex}`;
  return (
    <div className="person" data-chosen={isChosen || undefined}>
      <Group justify="space-between" wrap="nowrap">
        <UnstyledButton onClick={onChoose} aria-pressed={isChosen}>
          <Group gap="sm" wrap="nowrap">
            {person.preview === undefined ? (
              <PersonIcon size={32} />
            ) : (
              <img src={person.preview} alt="" width={56} height={56} />
            )}
            <div>
              <Text fw={600}>{name}</Text>
              <Text size="sm" c="dimmed">
                {Math.round(person.share * 100)} % of the film
              </Text>
              {person.warnings.map(({ code, message }) => (
                <Text key={code} size="xs">
                  {message.replace(`Person ${person.personIndex} `, 'This face ')}
                </Text>
              ))}
            </div>
          </Group>
        </UnstyledButton>
        {canMap && (
          <FaceSlot
            label={`The face for person ${person.personIndex}`}
            accept={SLOTS.filmFace.accept}
            face={face}
            saved={saved}
            onFace={onFace}
          />
        )}
      </Group>
      <div className="lane" role="img" aria-label={`${name} appears ${timesOf(person.appearances)}`}>
        {person.appearances.map(([from, to]) => (
          <span
            key={from}
            style={{
              left: `${(from! / lengthSeconds) * 100}%`,
              width: `${((to! - from!) / lengthSeconds) * 100}%`,
            }}
          />
        ))}
      </div>
    </div>
  );
}

function timesOf(appearances: PersonCardProps['person']['appearances']): string {
  return appearances.map(([from, to]) => `from ${from} to ${to} seconds`).join(', ');
}
