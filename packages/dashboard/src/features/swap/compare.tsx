import type { ReactNode } from 'react';
import { ReactCompareSlider } from 'react-compare-slider';
import { fileKey } from './file-key.ts';
import { usePicture } from './preview.tsx';

interface CompareProps {
  readonly before: File;
  readonly after: string;
  readonly width: number;
  readonly height: number;
  /** Where the divider begins, in percent of the width. */
  readonly begin: number;
}

/**
 * Shows the target and the output in one frame. The border between them is dragged on the picture.
 * If the browser cannot show the target, shows only the output.
 */
export function Compare(props: CompareProps) {
  return <CompareOne key={fileKey(props.before)} {...props} />;
}

function CompareOne({ before, after, width, height, begin }: CompareProps) {
  const { url, isUnseen, onError } = usePicture(before);
  if (isUnseen) return <img className="shown" src={after} alt="After the swap" />;
  return (
    <CompareFrame
      ratio={width / height}
      begin={begin}
      before={
        url === null ? null : <img src={url} alt="Before the swap" draggable={false} onError={onError} />
      }
      after={<img src={after} alt="After the swap" draggable={false} />}
    />
  );
}

interface CompareFrameProps {
  /** Width by height. */
  readonly ratio: number;
  readonly before: ReactNode;
  readonly after: ReactNode;
  /** Where the divider begins, in percent of the width. */
  readonly begin?: number;
}

/** Two pictures in one frame, which is as large as the page has room for. */
export function CompareFrame({ ratio, before, after, begin = 50 }: CompareFrameProps) {
  const width = `min(100%, calc(var(--stage-height) * ${ratio}))`;
  return (
    <div className="compare" style={{ aspectRatio: String(ratio), width }}>
      <ReactCompareSlider
        className="slider"
        defaultPosition={begin}
        keyboardIncrement="1%"
        itemOne={before}
        itemTwo={after}
      />
      <span className="label left">Before</span>
      <span className="label right">After</span>
    </div>
  );
}
