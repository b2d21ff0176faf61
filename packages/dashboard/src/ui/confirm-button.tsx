import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';

interface ConfirmButtonProps {
  /** The button's text, such as `Revoke`. */
  readonly verb: string;
  /**
   * Object of the action, for users who cannot see the button's place; absent if `verb` is enough.
   */
  readonly what?: string;
  readonly onConfirm: () => void;
  readonly isBusy?: boolean;
  readonly icon?: ReactNode;
  /** `xs` in a table row. */
  readonly size?: 'xs' | 'sm';
}

/**
 * A button that acts on its second click, for actions that cannot be undone. When it loses the
 * focus, the first click is forgotten.
 */
export function ConfirmButton({
  verb,
  what = '',
  onConfirm,
  isBusy = false,
  icon,
  size = 'xs',
}: ConfirmButtonProps) {
  const [isAsked, setIsAsked] = useState(false);
  const words = isAsked ? `Yes, ${verb.toLowerCase()}` : verb;
  return (
    <Button
      size={size}
      loading={isBusy}
      leftSection={icon}
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
