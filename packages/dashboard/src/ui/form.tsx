import { Button, Group, Stack } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { ConfirmButton } from './confirm-button.tsx';
import { Failure } from './failure.tsx';

interface FormProps {
  readonly children: ReactNode;
  readonly submit: string;
  /** Sends the fields. An error is shown above the button, and the fields keep their values. */
  readonly onSubmit: (fields: Record<string, string>) => Promise<unknown>;
  readonly isDanger?: boolean;
  /** Whether another action of the page is the main one. */
  readonly isSecondary?: boolean;
  /** Whether the form is sent with a `ConfirmButton`, on its second click. */
  readonly needsConfirmation?: boolean;
  /** Whether the fields are emptied after sending, so that they are not sent twice. */
  readonly isOneOff?: boolean;
  readonly isDisabled?: boolean;
}

/** A form whose fields are read by name when it is sent. */
export function Form({
  children,
  submit,
  onSubmit,
  isDanger = false,
  isSecondary = false,
  needsConfirmation = false,
  isOneOff = false,
  isDisabled = false,
}: FormProps) {
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const send = async (form: HTMLFormElement): Promise<void> => {
    setIsBusy(true);
    setError(null);
    try {
      await onSubmit(
        Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)])),
      );
      if (isOneOff) form.reset();
    } catch (failure) {
      setError((failure as Error).message);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        void send(event.currentTarget);
      }}
    >
      <Stack>
        {children}
        <Failure>{error}</Failure>
        <Group>
          {needsConfirmation ? (
            <ConfirmButton
              verb={submit}
              size="sm"
              isBusy={isBusy}
              onConfirm={() => form.current?.requestSubmit()}
            />
          ) : (
            <Button
              type="submit"
              loading={isBusy}
              disabled={isDisabled}
              variant={isSecondary ? 'default' : 'filled'}
              {...(isDanger ? { color: 'red.9' } : {})}
            >
              {submit}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
