import type { FaceBoxBody } from '@guise/contract/ai-tasks/schemas.ts';
import { ActionIcon, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { ArrowLeftIcon, ArrowRightIcon, PlusIcon, XIcon } from '@primer/octicons-react';
import { NoteChip } from './note-chip.tsx';
import type { Note } from './state/notes.ts';
import { Preview } from './preview.tsx';

interface FileTileProps {
  readonly label: string;
  /** Media types and extensions that the browser's file picker offers. */
  readonly accept: string;
  readonly file: File | null;
  readonly size: 'large' | 'medium' | 'small';
  /** Whether several files can be chosen at once. */
  readonly isMany?: boolean;
  readonly faces?: readonly FaceBoxBody[];
  readonly note?: Note | undefined;
  readonly onFiles: (files: File[]) => void;
  readonly onRemove?: (() => void) | undefined;
  /** Moves the file by one place. Missing if it is the first or last one. */
  readonly onEarlier?: (() => void) | undefined;
  readonly onLater?: (() => void) | undefined;
}

/**
 * An area in which to choose or drop a file, and which shows it. The service checks the types of
 * files, so that its message says what is wrong.
 */
export function FileTile(props: FileTileProps) {
  const { label, accept, file, size, isMany = false, faces = [], note, onFiles } = props;
  return (
    <div className="tile" data-size={size}>
      <Dropzone
        className="drop"
        onDrop={(files: File[]) => files.length > 0 && onFiles(isMany ? files : files.slice(0, 1))}
        multiple={isMany}
        // The input itself takes the focus and the keys, as people with a screen reader expect.
        activateOnKeyboard={false}
        inputProps={{ 'aria-label': file === null ? label : `${label}: ${file.name}`, accept, tabIndex: 0 }}
      >
        {file === null ? <Invitation size={size} isMany={isMany} /> : <Preview file={file} faces={faces} />}
      </Dropzone>
      {note !== undefined && <NoteChip note={note} />}
      {file !== null && <Actions {...props} name={file.name} />}
    </div>
  );
}

function Invitation({ size, isMany }: Pick<FileTileProps, 'size'> & { isMany: boolean }) {
  if (size === 'small') return <PlusIcon size={16} />;
  return (
    <Text size="sm" c="dimmed">
      Drop {isMany ? 'files' : 'a file'}, paste, or click
    </Text>
  );
}

function Actions({ name, onRemove, onEarlier, onLater }: FileTileProps & { name: string }) {
  return (
    <div className="actions">
      {onEarlier && (
        <ActionIcon size="sm" variant="default" aria-label={`Move ${name} to the front`} onClick={onEarlier}>
          <ArrowLeftIcon size={12} />
        </ActionIcon>
      )}
      {onLater && (
        <ActionIcon size="sm" variant="default" aria-label={`Move ${name} to the back`} onClick={onLater}>
          <ArrowRightIcon size={12} />
        </ActionIcon>
      )}
      {onRemove && (
        <ActionIcon size="sm" variant="default" aria-label={`Remove ${name}`} onClick={onRemove}>
          <XIcon size={12} />
        </ActionIcon>
      )}
    </div>
  );
}
