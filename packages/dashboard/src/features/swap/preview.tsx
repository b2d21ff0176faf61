import type { FaceBoxBody } from '@guise/contract/ai-tasks/schemas.ts';
import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { fileKey } from './file-key.ts';

/** Returns an object URL of a local file while the component is shown. */
export function useObjectUrl(file: File | null): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (file === null) return undefined;
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return file === null ? null : url;
}

interface PreviewProps {
  readonly file: File;
  /** Boxes to draw on the picture. */
  readonly faces?: readonly FaceBoxBody[];
}

/** Shows a picture with its faces, or a video, or a text if the browser cannot show the file. */
export function Preview(props: PreviewProps) {
  return <PreviewOfOne key={fileKey(props.file)} {...props} />;
}

function PreviewOfOne({ file, faces = [] }: PreviewProps) {
  const url = useObjectUrl(file);
  const [size, setSize] = useState<Size | null>(null);
  const [isUnseen, setIsUnseen] = useState(false);
  const onError = (): void => setIsUnseen(true);
  if (url === null) return null;
  if (isUnseen)
    return (
      <Text size="xs" p={6} className="anywhere">
        {file.name} has no preview in this browser.
      </Text>
    );
  if (file.type.startsWith('video/'))
    return <video src={url} muted playsInline preload="metadata" onError={onError} />;
  return (
    <span className="framed">
      <img
        src={url}
        alt={file.name}
        onError={onError}
        onLoad={({ currentTarget }) => setSize([currentTarget.naturalWidth, currentTarget.naturalHeight])}
      />
      {size !== null &&
        faces.map((face) => (
          <span key={`${face.x} ${face.y}`} className="face" style={placeIn(size, face)} />
        ))}
    </span>
  );
}

export type Size = readonly [width: number, height: number];

/** Returns a box's place in percent of the picture. */
export function placeIn([width, height]: Size, box: FaceBoxBody) {
  return {
    left: `${(box.x / width) * 100}%`,
    top: `${(box.y / height) * 100}%`,
    width: `${(box.width / width) * 100}%`,
    height: `${(box.height / height) * 100}%`,
  };
}
