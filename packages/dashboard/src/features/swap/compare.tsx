import { useState } from 'react';
import { ReactCompareSlider } from 'react-compare-slider';
import { fileKey } from './file-key.ts';
import { useObjectUrl } from './preview.tsx';

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
  const url = useObjectUrl(before);
  const [isUnseen, setIsUnseen] = useState(false);
  if (isUnseen) return <img className="shown" src={after} alt="After the swap" />;
  return (
    <div className="compare" style={frameOf(width, height)}>
      <ReactCompareSlider
        className="slider"
        defaultPosition={begin}
        keyboardIncrement="1%"
        itemOne={
          url === null ? null : (
            <img src={url} alt="Before the swap" draggable={false} onError={() => setIsUnseen(true)} />
          )
        }
        itemTwo={<img src={after} alt="After the swap" draggable={false} />}
      />
      <span className="label left">Before</span>
      <span className="label right">After</span>
    </div>
  );
}

/** Returns the size of a frame that is as large as the page has room for. */
export function frameOf(width: number, height: number) {
  const ratio = width / height;
  return { aspectRatio: String(ratio), width: `min(100%, calc(var(--stage-height) * ${ratio}))` };
}
