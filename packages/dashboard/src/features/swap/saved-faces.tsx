import { ActionIcon, Group, Text, UnstyledButton } from '@mantine/core';
import { XIcon } from '@primer/octicons-react';
import { useEffect } from 'react';
import { listFaces } from '../../api/faces.ts';
import { useLoaded } from '../../api/use-load.ts';
import { FacePicture } from '../../ui/face-picture.tsx';
import { NoteChip } from './note-chip.tsx';
import type { Draft } from './state/draft.ts';
import { changeDraft } from './state/draft-store.ts';
import type { Note } from './state/notes.ts';

interface SavedFacesProps {
  readonly chosen: Draft['savedFace'];
  readonly note: Note | undefined;
}

/** The saved face that is used or, if there is none, those to choose from. */
export function SavedFaces({ chosen, note }: SavedFacesProps) {
  const all = useLoaded(listFaces).data;
  const faces = all?.filter(({ withdrawnAt }) => withdrawnAt === null) ?? null;
  const isGone = chosen !== null && faces !== null && faces.every(({ id }) => id !== chosen.id);
  useEffect(() => {
    if (isGone) changeDraft({ savedFace: null });
  }, [isGone]);
  if (chosen !== null)
    return (
      <div className="person">
        <Group wrap="nowrap" gap="sm">
          <FacePicture face={chosen} />
          <div style={{ flex: 1, minWidth: 0 }}>
            <Text fw={600} className="anywhere" lineClamp={2}>
              {chosen.name}
            </Text>
            <Text size="sm" c="dimmed">
              A saved face
            </Text>
          </div>
          <ActionIcon
            size="sm"
            variant="default"
            aria-label={`Remove ${chosen.name}`}
            onClick={() => changeDraft({ savedFace: null })}
          >
            <XIcon size={12} />
          </ActionIcon>
        </Group>
        {note !== undefined && <NoteChip note={note} />}
      </div>
    );
  if (faces === null || faces.length === 0) return null;
  return (
    <div>
      <Text size="sm" c="dimmed" my={6}>
        or a saved face
      </Text>
      <Group gap={8} className="saved">
        {faces.map((face) => (
          <UnstyledButton
            key={face.id}
            aria-label={`Use the saved face ${face.name}`}
            onClick={() => changeDraft({ savedFace: face })}
          >
            <FacePicture face={face} />
            <Text size="xs" truncate>
              {face.name}
            </Text>
          </UnstyledButton>
        ))}
      </Group>
    </div>
  );
}
