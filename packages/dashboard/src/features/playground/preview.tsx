import type { DetectedFaceBody } from '@guise/contract/ai-tasks/schemas.ts';
import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Slot } from '../../workflows/slot.ts';
import { fileKey } from './file-key.ts';

/** Returns an object URL of a local file while the component is shown. */
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

interface PreviewProps {
  readonly file: File;
  readonly slot: Slot;
  readonly faces: readonly DetectedFaceBody[];
}

/** Shows a thumbnail of a file with its faces, or a text if the browser cannot show the file. */
export function Preview(props: PreviewProps) {
  return <PreviewOfOne key={fileKey(props.file)} {...props} />;
}

function PreviewOfOne({ file, slot, faces }: PreviewProps) {
  const url = useObjectUrl(file);
  const [size, setSize] = useState<[width: number, height: number] | null>(null);
  const [isUnseen, setIsUnseen] = useState(false);
  const onError = (): void => setIsUnseen(true);
  if (url === null) return null;
  if (isUnseen) return <Text className="anywhere">{withoutPreview(file, slot)}</Text>;
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
        faces.map((face) => <span key={face.faceIndex} className="face" style={placeOf(face, size)} />)}
    </span>
  );
}

/**
 * Returns a text for a file that the browser cannot show. For HEIC, also says whether it can be
 * swapped.
 */
function withoutPreview({ name, type }: File, { accept }: Slot): string {
  const sentence = `${name} has no preview in this browser`;
  if (!/^image\/hei[cf]/.test(type) && !/\.hei[cf]$/i.test(name)) return `${sentence}.`;
  return accept.includes('.heic')
    ? `${sentence}, but can be swapped.`
    : `${sentence}, and HEIC cannot be swapped here.`;
}

/** Returns a face's box in percent of the picture. */
export function placeOf(face: DetectedFaceBody, [width, height]: readonly [number, number]) {
  return {
    left: `${(face.x / width) * 100}%`,
    top: `${(face.y / height) * 100}%`,
    width: `${(face.width / width) * 100}%`,
    height: `${(face.height / height) * 100}%`,
  };
}
