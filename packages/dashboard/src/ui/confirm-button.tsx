import { Button } from '@mantine/core';
import { useState } from 'react';

interface SureButtonProps {
  /** As the button says it: `Revoke`. */
  readonly verb: string;
  /** What it is done to, for those who do not see where the button is; absent: `verb` says it. */
  readonly what?: string;
  readonly onSure: () => void;
  readonly isBusy?: boolean;
  /** `xs` in a row of a table. */
  readonly size?: 'xs' | 'sm';
}

/** For what takes effect at once and cannot be taken back: it is asked for twice, and whoever turns away has not meant it. */
export function SureButton({ verb, what = '', onSure, isBusy = false, size = 'xs' }: SureButtonProps) {
  const [isSure, setIsSure] = useState(false);
  const words = isSure ? `Really ${verb.toLowerCase()}` : verb;
  return (
    <Button
      size={size}
      loading={isBusy}
      variant={isSure ? 'filled' : 'default'}
      color="red.9"
      aria-label={`${words} ${what}`.trim()}
      onBlur={() => setIsSure(false)}
      onClick={() => {
        setIsSure(!isSure);
        if (isSure) onSure();
      }}
    >
      {words}
    </Button>
  );
}
