import { Group } from '@mantine/core';
import { fileKey } from './file-key.ts';
import { FileTile } from './file-tile.tsx';
import type { Note } from './state/notes.ts';

interface FileListProps {
  readonly label: string;
  readonly accept: string;
  readonly files: readonly File[];
  readonly most: number;
  /** Size of the first tile. */
  readonly size: 'large' | 'medium';
  readonly noteOf: (index: number) => Note | undefined;
  readonly onChange: (files: File[]) => void;
}

/** Tiles for several files, which can be added, removed and moved. */
export function FileList({ label, accept, files, most, size, noteOf, onChange }: FileListProps) {
  const put = (index: number, chosen: readonly File[]): void =>
    onChange([...files.slice(0, index), ...chosen, ...files.slice(index + 1)].slice(0, most));
  const swapWith = (index: number, other: number) => {
    if (other < 0 || other >= files.length) return undefined;
    return () =>
      onChange(files.map((file, at) => (at === index ? files[other]! : at === other ? files[index]! : file)));
  };
  return (
    <Group gap={8} align="start">
      {files.map((file, index) => (
        <FileTile
          key={fileKey(file)}
          label={`${label}, number ${index + 1}`}
          accept={accept}
          file={file}
          size={index === 0 ? size : 'small'}
          note={noteOf(index)}
          onFiles={(chosen) => put(index, chosen)}
          onRemove={() => put(index, [])}
          onEarlier={swapWith(index, index - 1)}
          onLater={swapWith(index, index + 1)}
        />
      ))}
      {files.length < most && (
        <FileTile
          key={files.length === 0 ? 'first' : 'more'}
          label={label}
          accept={accept}
          file={null}
          size={files.length === 0 ? size : 'small'}
          isMany={most > 1}
          onFiles={(chosen) => onChange([...files, ...chosen].slice(0, most))}
        />
      )}
    </Group>
  );
}
