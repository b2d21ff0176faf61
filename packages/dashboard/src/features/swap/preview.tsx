import type { FaceBoxBody } from '@guise/contract/ai-tasks/schemas.ts';
import { Loader, Text } from '@mantine/core';
import { type SyntheticEvent, useEffect, useState } from 'react';
import { fileKey } from './file-key.ts';
import { usePreview } from './state/use-look.ts';

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

export interface Picture {
  /** null until there is one. */
  readonly url: string | null;
  /** Pixels of the file, even if a preview is shown; null until they are known. */
  readonly size: Size | null;
  /** Whether neither the browser nor the service can show the file. */
  readonly isUnseen: boolean;
  /** Handlers of the element that shows `url`. */
  readonly onError: () => void;
  readonly onLoad: (event: SyntheticEvent<HTMLImageElement>) => void;
}

/** Returns how to show a picture: the file or, if the browser cannot show it, a preview. */
export function usePicture(file: File | null): Picture {
  const url = useObjectUrl(file);
  const [size, setSize] = useState<Size | null>(null);
  const [unshown, setUnshown] = useState<File | null>(null);
  const { found, error } = usePreview(unshown === file ? file : null);
  const handlers = {
    onError: () => setUnshown(file),
    onLoad: ({ currentTarget }: SyntheticEvent<HTMLImageElement>) =>
      setSize([currentTarget.naturalWidth, currentTarget.naturalHeight]),
  };
  if (file === null || unshown !== file) return { url, size, isUnseen: false, ...handlers };
  const preview = found?.preview ?? null;
  return {
    url: preview,
    size: preview === null ? null : [found!.width, found!.height],
    isUnseen: error !== null || (found !== null && preview === null),
    ...handlers,
  };
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
  return file.type.startsWith('video/') ? <Film file={file} /> : <Photo file={file} faces={faces} />;
}

/** Returns whether the browser cannot show a film, and the handlers of its player that find out. */
export function useUnseenFilm() {
  const [isUnseen, setIsUnseen] = useState(false);
  const handlers = {
    onError: () => setIsUnseen(true),
    // A browser that does not know how the pictures are coded may still play the sound.
    onLoadedMetadata: ({ currentTarget }: SyntheticEvent<HTMLVideoElement>) => {
      if (currentTarget.videoWidth === 0) setIsUnseen(true);
    },
  };
  return { isUnseen, handlers };
}

function Film({ file }: { file: File }) {
  const url = useObjectUrl(file);
  const { isUnseen, handlers } = useUnseenFilm();
  if (isUnseen) return <Unseen file={file} />;
  if (url === null) return null;
  return <video src={url} muted playsInline preload="metadata" {...handlers} />;
}

function Unseen({ file }: { file: File }) {
  return (
    <Text size="xs" p={6} className="anywhere">
      {file.name} has no preview in this browser.
    </Text>
  );
}

function Photo({ file, faces }: Required<PreviewProps>) {
  const { url, size, isUnseen, onError, onLoad } = usePicture(file);
  if (isUnseen) return <Unseen file={file} />;
  if (url === null) return <Loader size="xs" aria-label={`Loading a preview of ${file.name}`} />;
  return (
    <span className="framed">
      <img src={url} alt={file.name} onError={onError} onLoad={onLoad} />
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
