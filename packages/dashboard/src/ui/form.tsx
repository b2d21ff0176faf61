import { Alert, Button, Group, Stack } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { ConfirmButton } from './confirm-button.tsx';

interface FormProps {
  readonly children: ReactNode;
  readonly submit: string;
  /** Sends the fields; a refusal is shown above the button, and the fields keep what was typed. */
  readonly onSubmit: (fields: Record<string, string>) => Promise<unknown>;
  readonly isDanger?: boolean;
  /** Sent by a `ConfirmButton`: at the second click. */
  readonly needsConfirmation?: boolean;
  /** Empties the fields once they are sent, so that they are not sent twice. */
  readonly isOneOff?: boolean;
  readonly isDisabled?: boolean;
}

/** A form whose fields are read by name when it is sent. */
export function Form({
  children,
  submit,
  onSubmit,
  isDanger = false,
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
        {error !== null && (
          <Alert color="red" role="alert">
            {error}
          </Alert>
        )}
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
