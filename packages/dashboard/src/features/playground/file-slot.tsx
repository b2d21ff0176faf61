import type { DetectedFaceBody } from '@guise/contract/ai-tasks/schemas.ts';
import { Text } from '@mantine/core';
import { useState } from 'react';
import type { Slot } from '../../workflows/slot.ts';
import { fileKey } from './file-key.ts';
import { Preview } from './preview.tsx';

interface FileSlotProps {
  readonly slot: Slot;
  readonly files: readonly File[];
  /** Returns the faces found in a file, by the file's index. */
  readonly facesOf: (index: number) => readonly DetectedFaceBody[];
  /** Whether the slot is small, because the file is also shown in large next to it. */
  readonly isSmall?: boolean;
  readonly onFiles: (files: File[]) => void;
}

/**
 * An area in which to choose, drop or paste a file. The whole area is the file input, so that it
 * works with the keyboard, too.
 */
export function FileSlot({ slot, files, facesOf, isSmall = false, onFiles }: FileSlotProps) {
  const [isOver, setIsOver] = useState(false);
  return (
    <div>
      <Text fw={600} mb={6} component="label" htmlFor={slot.field} display="block">
        {slot.label}
      </Text>
      <div
        className={isSmall ? 'slot small' : 'slot'}
        data-over={isOver || undefined}
        onDragOver={() => setIsOver(true)}
        onDragLeave={() => setIsOver(false)}
        onDrop={() => setIsOver(false)}
      >
        {files.length === 0 && (
          <Text>Drop {slot.isMany ? 'files' : 'a file'} here, paste, or click to choose</Text>
        )}
        {files.length === 1 && <Preview file={files[0]!} slot={slot} faces={facesOf(0)} />}
        {files.length > 1 && (
          <span className="many">
            {files.map((file, index) => (
              <Preview key={fileKey(file)} file={file} slot={slot} faces={facesOf(index)} />
            ))}
          </span>
        )}
        <input
          id={slot.field}
          type="file"
          accept={slot.accept}
          multiple={slot.isMany}
          onChange={(event) => {
            const chosen = [...(event.currentTarget.files ?? [])];
            if (chosen.length > 0) onFiles(chosen);
          }}
        />
      </div>
    </div>
  );
}
