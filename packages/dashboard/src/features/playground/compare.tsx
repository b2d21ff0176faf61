import { Slider } from '@mantine/core';
import { useState } from 'react';
import { useObjectUrl } from './preview.tsx';

/**
 * Shows the target and the output in one frame, with a slider that moves the border between them.
 * If the browser cannot show the target, shows only the output.
 */
export function Compare({ before, after }: { before: File; after: string }) {
  const url = useObjectUrl(before);
  const [at, setAt] = useState(50);
  const [isUnseen, setIsUnseen] = useState(false);
  if (isUnseen) return <img className="shown" src={after} alt="After the swap" />;
  return (
    <div>
      <div className="compare">
        <img src={after} alt="After the swap" />
        {url !== null && (
          <img
            className="before"
            src={url}
            alt="Before the swap"
            onError={() => setIsUnseen(true)}
            style={{ clipPath: `inset(0 ${100 - at}% 0 0)` }}
          />
        )}
        <span className="edge" style={{ left: `${at}%` }} />
      </div>
      <Slider
        mt="sm"
        value={at}
        onChange={setAt}
        label={null}
        thumbLabel="How much of the picture before the swap is shown"
      />
    </div>
  );
}
