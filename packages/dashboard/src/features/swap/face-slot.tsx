import '@mantine/core/styles/Popover.css';
import { ActionIcon, Button, Group, Popover, Text, UnstyledButton } from '@mantine/core';
import { XIcon } from '@primer/octicons-react';
import { useState } from 'react';
import { FacePicture } from '../../ui/face-picture.tsx';
import type { Slot } from '../../workflows/slot.ts';
import { FileTile } from './file-tile.tsx';
import { NoteChip } from './note-chip.tsx';
import type { Face, SavedFace } from './state/draft.ts';
import type { Note } from './state/notes.ts';

interface FaceSlotProps extends Slot {
  readonly face: Face | null;
  /** The saved faces to choose from. */
  readonly saved: readonly SavedFace[];
  readonly note?: Note | undefined;
  readonly onFace: (face: Face | null) => void;
}

/** A place for one face: an uploaded photo, or a saved face. */
export function FaceSlot({ label, accept, face, saved, note, onFace }: FaceSlotProps) {
  const onRemove = () => onFace(null);
  if (face !== null && !(face instanceof File))
    return <SavedFaceTile face={face} note={note} onRemove={onRemove} />;
  return (
    <div>
      <FileTile
        label={label}
        accept={accept}
        file={face}
        size="small"
        note={note}
        onFiles={([file]) => onFace(file!)}
        onRemove={onRemove}
      />
      {face === null && <SavedFaceMenu label={label} saved={saved} onChoose={onFace} />}
    </div>
  );
}

interface SavedFaceTileProps {
  readonly face: SavedFace;
  readonly note: Note | undefined;
  readonly onRemove: () => void;
}

function SavedFaceTile({ face, note, onRemove }: SavedFaceTileProps) {
  return (
    <div className="tile" data-size="small">
      <FacePicture face={face} />
      <Text size="xs" ta="center" className="anywhere" lineClamp={2} title={face.name}>
        {face.name}
      </Text>
      {note !== undefined && <NoteChip note={note} />}
      <div className="actions">
        <ActionIcon size="sm" variant="default" aria-label={`Remove ${face.name}`} onClick={onRemove}>
          <XIcon size={12} />
        </ActionIcon>
      </div>
    </div>
  );
}

interface SavedFaceMenuProps {
  /** Name of the place for the face. */
  readonly label: string;
  readonly saved: readonly SavedFace[];
  readonly onChoose: (face: SavedFace) => void;
}

/** A button that opens the saved faces, to choose one. Shows nothing if there are none. */
export function SavedFaceMenu({ label, saved, onChoose }: SavedFaceMenuProps) {
  const [isOpen, setIsOpen] = useState(false);
  if (saved.length === 0) return null;
  return (
    <Popover
      position="bottom-start"
      shadow="md"
      hideDetached={false}
      opened={isOpen}
      onChange={setIsOpen}
      trapFocus
    >
      <Popover.Target>
        <Button
          size="compact-xs"
          variant="default"
          mt={6}
          aria-label={`${label}: saved face`}
          onClick={() => setIsOpen(!isOpen)}
        >
          Saved face
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Saved faces">
        <Group gap={8} className="saved">
          {saved.map((face) => (
            <UnstyledButton key={face.id} aria-label={`Use ${face.name}`} onClick={() => onChoose(face)}>
              <FacePicture face={face} />
              <Text size="xs" truncate>
                {face.name}
              </Text>
            </UnstyledButton>
          ))}
        </Group>
      </Popover.Dropdown>
    </Popover>
  );
}
