import { Alert, Button, Group, Loader, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { detectFaces, type Face } from '../api/ai-tasks.ts';
import { placeOf, useObjectUrl } from './preview.tsx';

export interface Mapping {
  readonly face: Face;
  readonly file: File;
}

interface FaceMapperProps {
  readonly photo: File;
  readonly mappings: readonly Mapping[];
  readonly onChange: (mappings: Mapping[]) => void;
}

/** The group photo with a button on every face found: click one to choose its replacement, or drop a picture on it. */
export function FaceMapper({ photo, mappings, onChange }: FaceMapperProps) {
  const url = useObjectUrl(photo);
  const [faces, setFaces] = useState<Face[] | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [size, setSize] = useState<[number, number] | null>(null);
  const [chosen, setChosen] = useState<Face | null>(null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const stop = new AbortController();
    setFaces(null);
    setError(null);
    detectFaces(photo, stop.signal).then(
      (found) => setFaces(found.faces),
      (failure: Error) => stop.signal.aborted || setError(failure.message),
    );
    return () => stop.abort();
  }, [photo]);
  const replace = (face: Face, file: File | undefined): void => {
    const others = mappings.filter((each) => each.face.faceIndex !== face.faceIndex);
    onChange(file === undefined ? others : [...others, { face, file }].slice(0, 10));
  };
  if (error !== null)
    return (
      <Alert color="red" role="alert">
        {error}
      </Alert>
    );
  return (
    <div>
      <Text mb="xs" role="status" component="div">
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
        aria-label="Replacement face"
        accept="image/jpeg,image/png,image/webp"
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (chosen !== null && file) replace(chosen, file);
          event.currentTarget.value = '';
        }}
      />
      {url !== null && (
        <span className="framed">
          <img
            src={url}
            alt="The group"
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
                >
                  {mapping && <Thumbnail file={mapping.file} />}
                  <span>{face.faceIndex + 1}</span>
                </button>
              );
            })}
        </span>
      )}
      {mappings.length > 0 && (
        <Button variant="default" size="xs" display="block" mt="xs" onClick={() => onChange([])}>
          Clear all replacements
        </Button>
      )}
    </div>
  );
}

function hint(count: number): string {
  if (count === 0) return 'No face was found. Choose a photo with larger or clearer faces.';
  return `${count} faces found. Click a face to choose its replacement, or drop a picture on it; up to 10.`;
}

function Thumbnail({ file }: { file: File }) {
  const url = useObjectUrl(file);
  return url === null ? null : <img src={url} alt="" />;
}
