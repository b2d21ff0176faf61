import { GROUP_FORM } from '@guise/contract/ai-tasks/forms.ts';
import type { DetectedFaceBody } from '@guise/contract/ai-tasks/schemas.ts';
import { AI_TASKS_LIMITS } from '@guise/contract/limits.ts';
import { Alert, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { slotOf } from '../../workflows/slot.ts';
import { placeOf, useObjectUrl } from './preview.tsx';
import type { Mapping } from './swap-inputs.ts';
import { useFaces } from './use-faces.ts';
import { WaitNote } from './wait-note.tsx';

/** Most faces of a group photo that one task can replace. */
const MAX_MAPPINGS = AI_TASKS_LIMITS.groupFaces;
/** Slot for the photo of a replacement face. */
const REPLACEMENT_SLOT = slotOf(GROUP_FORM, 'targetFace0', 'Replacement face');

interface FaceMapperProps {
  readonly photo: File;
  readonly mappings: readonly Mapping[];
  readonly onChange: (mappings: Mapping[]) => void;
}

/**
 * Shows the group photo with a button on each face. Users click a face to choose its replacement,
 * or drop or paste a photo on it.
 */
export function FaceMapper({ photo, mappings, onChange }: FaceMapperProps) {
  const url = useObjectUrl(photo);
  const { faces, error, waitUntil } = useFaces(photo);
  const [size, setSize] = useState<[number, number] | null>(null);
  const [isUnseen, setIsUnseen] = useState(false);
  const [chosen, setChosen] = useState<DetectedFaceBody | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const others = (face: DetectedFaceBody): Mapping[] =>
    mappings.filter((each) => each.face.faceIndex !== face.faceIndex);
  const replace = (face: DetectedFaceBody, file: File | undefined): void => {
    if (file !== undefined) onChange([...others(face), { face, file }].sort(byFace).slice(0, MAX_MAPPINGS));
  };
  if (error !== null)
    return (
      <Alert color="red" role="alert">
        {error}
      </Alert>
    );
  // The slot shows the reason.
  if (isUnseen) return null;
  return (
    <Stack gap="xs">
      <WaitNote until={waitUntil} />
      <Text role="status" component="div">
        {faces === null ? (
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
        aria-label={REPLACEMENT_SLOT.label}
        accept={REPLACEMENT_SLOT.accept}
        onChange={(event) => {
          if (chosen !== null) replace(chosen, event.currentTarget.files?.[0]);
          event.currentTarget.value = '';
        }}
      />
      {url !== null && (
        <span className="framed">
          <img
            src={url}
            alt="The group"
            onError={() => setIsUnseen(true)}
            onLoad={({ currentTarget }) => setSize([currentTarget.naturalWidth, currentTarget.naturalHeight])}
          />
          {size !== null &&
            faces?.map((face) => {
              const mapping = mappings.find((each) => each.face.faceIndex === face.faceIndex);
              return (
                <button
                  key={face.faceIndex}
                  type="button"
                  className="face"
                  style={placeOf(face, size)}
                  aria-pressed={mapping !== undefined}
                  aria-label={`Face ${face.faceIndex + 1}: ${mapping ? `replaced by ${mapping.file.name}` : 'unchanged'}`}
                  onClick={() => {
                    setChosen(face);
                    input.current?.click();
                  }}
                  onDragOver={(event) => event.preventDefault()}
                  onDrop={(event) => {
                    event.preventDefault();
                    replace(face, event.dataTransfer.files[0]);
                  }}
                  onPaste={(event) => {
                    event.preventDefault();
                    replace(face, event.clipboardData.files[0]);
                  }}
                >
                  {mapping && <Thumbnail file={mapping.file} />}
                  <span>{face.faceIndex + 1}</span>
                </button>
              );
            })}
        </span>
      )}
      {mappings.map(({ face, file }) => (
        <Group key={face.faceIndex} gap="xs">
          <Button
            variant="default"
            size="xs"
            aria-label={`Remove the replacement of face ${face.faceIndex + 1}`}
            onClick={() => onChange(others(face))}
          >
            Remove
          </Button>
          <Text size="sm">
            Face {face.faceIndex + 1}: {file.name}
          </Text>
        </Group>
      ))}
    </Stack>
  );
}

function byFace(one: Mapping, other: Mapping): number {
  return one.face.faceIndex - other.face.faceIndex;
}

function hint(count: number): string {
  if (count === 0) return 'No face was found. Choose a photo with larger or clearer faces.';
  const found = count === 1 ? '1 face found' : `${count} faces found`;
  return `${found}. Click a face to choose its replacement, or drop or paste a picture on it; up to ${MAX_MAPPINGS}.`;
}

function Thumbnail({ file }: { file: File }) {
  const url = useObjectUrl(file);
  return url === null ? null : <img src={url} alt="" />;
}
