import type { FaceBoxBody } from '@guise/contract/ai-tasks/schemas.ts';
import { AI_TASKS_LIMITS } from '@guise/contract/limits.ts';
import { Group, Loader, Stack, Text } from '@mantine/core';
import { useRef } from 'react';
import { SLOTS } from '../../workflows/workflows.ts';
import { FaceSlot } from './face-slot.tsx';
import type { Face, Mapping, SavedFace } from './state/draft.ts';
import type { Note } from './state/notes.ts';
import { placeIn, usePicture } from './preview.tsx';
import { useFaces } from './state/use-look.ts';
import { WaitNote } from './wait-note.tsx';
import { Failure } from '../../ui/failure.tsx';

/** Largest number of faces of a group photo that one task can replace. */
const MAX_MAPPINGS = AI_TASKS_LIMITS.groupFaces;

interface GroupMapperProps {
  readonly photo: File;
  readonly mappings: readonly Mapping[];
  /** The saved faces to choose from. */
  readonly saved: readonly SavedFace[];
  readonly noteOf: (index: number) => Note | undefined;
  readonly onChange: (mappings: Mapping[]) => void;
}

/**
 * Shows the group photo with a button on each face. Users click a face to choose its replacement,
 * or drop or paste a photo on it. Below the photo, each face has a place, which also takes a saved
 * face.
 */
export function GroupMapper({ photo, mappings, saved, noteOf, onChange }: GroupMapperProps) {
  const { url, size, isUnseen, onError, onLoad } = usePicture(photo);
  const { found, error, waitUntil } = useFaces(photo);
  const faces = found?.faces.map(({ faceIndex, x, y, width, height }) => {
    const box = { faceIndex, x, y, width, height };
    return { box, index: mappings.findIndex((each) => each.box.faceIndex === faceIndex) };
  });
  const chosen = useRef<Required<FaceBoxBody> | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const replace = (box: Required<FaceBoxBody>, face: Face | null): void => {
    const others = mappings.filter((each) => each.box.faceIndex !== box.faceIndex);
    const next = face === null ? others : [...others, { box, face }];
    onChange(next.sort(byFace).slice(0, MAX_MAPPINGS));
  };
  const take = (box: Required<FaceBoxBody>, file: File | undefined): void => {
    if (file !== undefined) replace(box, file);
  };
  if (error !== null) return <Failure>{error}</Failure>;
  // The tile says that there is no preview.
  if (isUnseen) return null;
  return (
    <Stack gap="xs">
      <WaitNote until={waitUntil} />
      <Text role="status" component="div" size="sm" c="dimmed">
        {faces === undefined ? (
          <Group gap="xs">
            <Loader size="xs" /> Looking for faces
          </Group>
        ) : (
          hint(faces.length)
        )}
      </Text>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={SLOTS.groupFace.label}
        accept={SLOTS.groupFace.accept}
        onChange={(event) => {
          if (chosen.current !== null) take(chosen.current, event.currentTarget.files?.[0]);
          event.currentTarget.value = '';
        }}
      />
      {url !== null && (
        <span className="framed">
          <img src={url} alt="The group" onError={onError} onLoad={onLoad} />
          {size !== null &&
            faces?.map(({ box, index }) => {
              const { faceIndex } = box;
              const mapping = mappings[index];
              return (
                <button
                  key={faceIndex}
                  type="button"
                  className="face"
                  style={placeIn(size, box)}
                  aria-pressed={mapping !== undefined}
                  aria-label={`Face ${faceIndex}: ${mapping ? `replaced by ${mapping.face.name}` : 'unchanged'}`}
                  onClick={() => {
                    chosen.current = box;
                    input.current?.click();
                  }}
                  onDragOver={(event) => event.preventDefault()}
                  onDrop={(event) => {
                    event.preventDefault();
                    take(box, event.dataTransfer.files[0]);
                  }}
                  onPaste={(event) => {
                    event.preventDefault();
                    take(box, event.clipboardData.files[0]);
                  }}
                >
                  {mapping && <Thumbnail face={mapping.face} />}
                  <span>{faceIndex}</span>
                </button>
              );
            })}
        </span>
      )}
      <Group gap={8} align="start">
        {faces?.map(({ box, index }) => (
          <div key={box.faceIndex}>
            <Text size="xs" c="dimmed">
              Face {box.faceIndex}
            </Text>
            <FaceSlot
              label={`The new face for face ${box.faceIndex}`}
              accept={SLOTS.groupFace.accept}
              face={mappings[index]?.face ?? null}
              saved={saved}
              note={noteOf(index)}
              onFace={(face) => replace(box, face)}
            />
          </div>
        ))}
      </Group>
    </Stack>
  );
}

function byFace(one: Mapping, other: Mapping): number {
  return one.box.faceIndex - other.box.faceIndex;
}

function hint(count: number): string {
  if (count === 0) return 'No face was found. Choose a photo with larger or clearer faces.';
  const found = count === 1 ? '1 face found' : `${count} faces found`;
  return `${found}. Click a face to replace it, or drop or paste a photo on it; up to ${MAX_MAPPINGS}.`;
}

function Thumbnail({ face }: { face: Face }) {
  const { url, onError } = usePicture(face instanceof File ? face : null);
  const src = face instanceof File ? url : (face.preview ?? null);
  return src === null ? null : <img src={src} alt="" onError={onError} />;
}
