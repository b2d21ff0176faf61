import type { DetectedFaceBody } from '@guise/contract/ai-tasks/schemas.ts';
import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';

/** A link to the browser's own file, for as long as it is shown. */
export function useObjectUrl(file: File | undefined): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (file === undefined) return undefined;
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return file === undefined ? null : url;
}

/**
 * The file as a thumbnail with the faces found in it; its name where the browser cannot show it
 * (HEIC).
 */
export function Preview({ file, faces }: { file: File; faces: readonly DetectedFaceBody[] }) {
  const url = useObjectUrl(file);
  const [size, setSize] = useState<[width: number, height: number] | null>(null);
  const [isUnseen, setIsUnseen] = useState(false);
  if (url === null) return null;
  if (isUnseen) return <Text>{file.name}</Text>;
  if (file.type.startsWith('video/')) return <video src={url} muted playsInline preload="metadata" />;
  return (
    <span className="framed">
      <img
        src={url}
        alt={file.name}
        onError={() => setIsUnseen(true)}
        onLoad={({ currentTarget }) => setSize([currentTarget.naturalWidth, currentTarget.naturalHeight])}
      />
      {size !== null &&
        faces.map((face) => <span key={face.faceIndex} className="face" style={placeOf(face, size)} />)}
    </span>
  );
}

/** A face's box as percentages of its picture. */
export function placeOf(face: DetectedFaceBody, [width, height]: readonly [number, number]) {
  return {
    left: `${(face.x / width) * 100}%`,
    top: `${(face.y / height) * 100}%`,
    width: `${(face.width / width) * 100}%`,
    height: `${(face.height / height) * 100}%`,
  };
}
