import { Button } from '@mantine/core';
import { useState } from 'react';

interface ConfirmButtonProps {
  /** The button's text, such as `Revoke`. */
  readonly verb: string;
  /**
   * What it is done to, for those who do not see the button's place; absent: `verb` says it all.
   */
  readonly what?: string;
  readonly onConfirm: () => void;
  readonly isBusy?: boolean;
  /** `xs` in a row of a table. */
  readonly size?: 'xs' | 'sm';
}

/**
 * A button that acts at its second click, for what takes effect at once and cannot be undone.
 * Leaving it takes the first click back.
 */
export function ConfirmButton({
  verb,
  what = '',
  onConfirm,
  isBusy = false,
  size = 'xs',
}: ConfirmButtonProps) {
  const [isAsked, setIsAsked] = useState(false);
  const words = isAsked ? `Really ${verb.toLowerCase()}` : verb;
  return (
    <Button
      size={size}
      loading={isBusy}
      variant={isAsked ? 'filled' : 'default'}
      color="red.9"
      aria-label={`${words} ${what}`.trim()}
      onBlur={() => setIsAsked(false)}
      onClick={() => {
        setIsAsked(!isAsked);
        if (isAsked) onConfirm();
      }}
    >
      {words}
    </Button>
  );
}
