import type { Verification } from '@guise/client';
import { PUBLIC_VERIFY_FORM } from '@guise/contract/ai-tasks/forms.ts';
import { MEBIBYTE, PUBLIC_VERIFY_LIMITS } from '@guise/contract/limits.ts';
import { Loader, Stack, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { useEffect, useRef, useState } from 'react';
import { visitor } from '../../api/ai-tasks.ts';
import { Page } from '../../ui/page.tsx';
import { slotOf } from '../../workflows/slot.ts';
import { Verdict } from './verdict.tsx';
import { Failure } from '../../ui/failure.tsx';

/** Place of the file. */
const SLOT = slotOf(PUBLIC_VERIFY_FORM, 'file', 'The file to check');

/** Largest file, in words. */
const LARGEST = `${PUBLIC_VERIFY_LIMITS.fileBytes / MEBIBYTE} MiB`;

/** What became of the file that was chosen last. */
type Outcome =
  | { readonly is: 'reading' }
  | { readonly is: 'read'; readonly verification: Verification }
  | { readonly is: 'failed'; readonly message: string };

/** Says how a file was made, and whether this is certain. Needs no account. */
export function Verify() {
  const [file, setFile] = useState<File | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  /** Ends the request for the file before. */
  const running = useRef(new AbortController());
  useEffect(() => () => running.current.abort(), []);
  const check = async (next: File): Promise<void> => {
    running.current.abort();
    const { signal } = (running.current = new AbortController());
    setFile(next);
    setOutcome({ is: 'reading' });
    const reached = await outcomeOf(next, signal);
    if (!signal.aborted) setOutcome(reached);
  };
  return (
    <Page title="Verify a file">
      <Text>
        Choose a picture, a video or a GIF, to see which marks say how it was made. guise reads the marks and
        deletes the file. You can check {PUBLIC_VERIFY_LIMITS.perMinute} files a minute and{' '}
        {PUBLIC_VERIFY_LIMITS.perHour} an hour, each of at most {LARGEST}.
      </Text>
      <div className="tile" data-size="flat">
        <Dropzone
          className="drop"
          onDrop={([dropped]: File[]) => dropped && void check(dropped)}
          multiple={false}
          // The input itself takes the focus and the keys, as people with a screen reader expect.
          activateOnKeyboard={false}
          inputProps={{ 'aria-label': SLOT.label, accept: SLOT.accept, tabIndex: 0 }}
        >
          <Stack gap={4} align="center">
            {file !== null && (
              <Text fw={600} className="anywhere">
                {file.name}
              </Text>
            )}
            <Text c="dimmed">Drop a file, or click{file === null ? '' : ' to choose another one'}</Text>
          </Stack>
        </Dropzone>
      </div>
      <div role="status">
        {outcome?.is === 'reading' && (
          <Text>
            <Loader size="xs" mr={8} aria-hidden />
            The file is being checked
          </Text>
        )}
        {outcome?.is === 'read' && <Verdict verification={outcome.verification} />}
      </div>
      {outcome?.is === 'failed' && <Failure title="The file was not checked">{outcome.message}</Failure>}
    </Page>
  );
}

async function outcomeOf(file: File, signal: AbortSignal): Promise<Outcome> {
  if (file.size > PUBLIC_VERIFY_LIMITS.fileBytes) {
    return { is: 'failed', message: `The file is larger than ${LARGEST}.` };
  }
  try {
    return { is: 'read', verification: await visitor.verifyPublicly(file, { signal }) };
  } catch (failure) {
    return { is: 'failed', message: (failure as Error).message };
  }
}
