import type { SavedFace } from '@guise/client';
import { Alert, Button, CopyButton, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { guise } from '../../api/ai-tasks.ts';
import { useLoaded } from '../../api/use-load.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { FacePicture } from '../../ui/face-picture.tsx';
import { formatTime } from '../../ui/format.ts';
import { Page, Section, Show } from '../../ui/page.tsx';
import { changeDraft } from '../swap/state/draft-store.ts';
import { SWAP_PATHS } from '../swap/swap-paths.ts';
import { SaveFace } from './save-face.tsx';
import { withdrawalOutcome } from './withdrawal-outcome.ts';

/** What an action did, or why it failed. */
interface Note {
  readonly isError: boolean;
  readonly text: string;
}

/** Does something with a face, and says the result of `work`. */
type Act = (work: Promise<string>) => void;

/** The saved faces of the account: save, use, withdraw and delete them. */
export function Faces() {
  const faces = useLoaded(guise.faces.list);
  const [note, setNote] = useState<Note | null>(null);
  const act: Act = (work) => {
    work
      .then(
        (text) => setNote({ isError: false, text }),
        (failure: Error) => setNote({ isError: true, text: failure.message }),
      )
      .finally(faces.reload);
  };
  return (
    <Page title="Faces">
      <Text>
        A saved face is used in swaps without a new upload of its photos. Its consent goes with each swap, and
        the person can withdraw it.
      </Text>
      <Section title="Save a face">
        <SaveFace
          onSaved={() => {
            setNote({ isError: false, text: 'The face is saved.' });
            faces.reload();
          }}
        />
      </Section>
      {note !== null && (
        <Alert role={note.isError ? 'alert' : 'status'} {...(note.isError ? { color: 'red' } : {})}>
          {note.text}
        </Alert>
      )}
      <Section title="Saved faces">
        <Show of={faces}>
          {({ faces: list }) => (
            <Stack gap="xs">
              <DataTable
                name="Saved faces"
                empty="You have no saved face. Save one above, to use it on the page of swaps."
                head={['Face', 'Consent', 'Saved', 'Actions']}
                rows={list.map((face) => ({
                  key: face.id,
                  cells: [
                    <Group key="face" gap="sm" wrap="nowrap">
                      <FacePicture face={face} />
                      <span className="anywhere">{face.name}</span>
                    </Group>,
                    <Consent key="consent" face={face} />,
                    formatTime(face.createdAt),
                    <Actions key="actions" face={face} act={act} />,
                  ],
                }))}
              />
              {list.length > 0 && (
                <>
                  <Text size="sm">
                    “Copy link” copies the withdrawal link. Give it to the person whose face it is, and to
                    nobody else. They can withdraw their consent with it, without an account.
                  </Text>
                  <Text size="sm">
                    Withdrawing deletes the photos and all stored results with the face, and stops unfinished
                    swaps. Deleting removes the face with its photos; results stay. Neither can be undone.
                  </Text>
                </>
              )}
            </Stack>
          )}
        </Show>
      </Section>
    </Page>
  );
}

function Consent({ face: { consent, withdrawnAt } }: { face: SavedFace }) {
  return (
    <>
      <span className="anywhere">{consent}</span>
      {withdrawnAt !== null && (
        <Text size="sm" c="dimmed">
          Withdrawn on {formatTime(withdrawnAt)}
        </Text>
      )}
    </>
  );
}

function Actions({ face, act }: { face: SavedFace; act: Act }) {
  const [, navigate] = useLocation();
  return (
    <Group gap="xs">
      {face.withdrawnAt === null && (
        <>
          <Button
            size="xs"
            variant="default"
            aria-label={`Use ${face.name}`}
            onClick={() => {
              changeDraft({ savedFace: face });
              navigate(SWAP_PATHS.photo);
            }}
          >
            Use
          </Button>
          <CopyButton value={face.withdrawalUrl}>
            {({ copied, copy }) => (
              <Button
                size="xs"
                variant="default"
                aria-label={copied ? 'Copied' : `Copy link for ${face.name}`}
                onClick={copy}
              >
                {copied ? 'Copied' : 'Copy link'}
              </Button>
            )}
          </CopyButton>
          <ConfirmButton
            verb="Withdraw"
            what={face.name}
            onConfirm={() => act(guise.faces.withdraw(face.id).then(withdrawalOutcome))}
          />
        </>
      )}
      <ConfirmButton
        verb="Delete"
        what={face.name}
        onConfirm={() => act(guise.faces.delete(face.id).then(() => 'The face is deleted.'))}
      />
    </Group>
  );
}
