import { Button } from '@mantine/core';
import { useState } from 'react';

interface SureButtonProps {
  /** As the button says it: `Revoke`. */
  readonly verb: string;
  /** What it is done to, for those who do not see the row. */
  readonly what: string;
  readonly onSure: () => void;
}

/** For what takes effect at once and cannot be taken back: it is asked for twice, and whoever turns away has not meant it. */
export function SureButton({ verb, what, onSure }: SureButtonProps) {
  const [isSure, setIsSure] = useState(false);
  const words = isSure ? `Really ${verb.toLowerCase()}` : verb;
  return (
    <Button
      size="xs"
      variant={isSure ? 'filled' : 'default'}
      color="red.9"
      aria-label={`${words} ${what}`}
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
