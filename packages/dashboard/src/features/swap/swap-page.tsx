import type { DetectedFaces, Engines } from '@guise/client';
import { Button, SegmentedControl, Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Suspense, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { useSession } from '../../session/session.tsx';
import { Folded } from '../../ui/folded.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { PageTitle } from '../../ui/page.tsx';
import { Loading } from '../../ui/part-boundary.tsx';
import { type Draft, type Order, orderOf, SWAP_KINDS, type SwapKind } from './state/draft.ts';
import { changeDraft, useDraft } from './state/draft-store.ts';
import { noteOfError, noteOfLook, notesOf, sentenceOf } from './state/notes.ts';
import { Inputs } from './inputs.tsx';
import { Recent } from './recent.tsx';
import { type Run, startRun, useRuns } from './state/runs.ts';
import { SwapBar } from './swap-bar.tsx';
import { SWAP_PATHS } from './swap-paths.ts';
import { type Look, useFaces, useFilm } from './state/use-look.ts';
import { engineOf, useEngines } from './state/use-engines.ts';
import { usePaste } from './state/use-paste.ts';
import { type Quoted, useQuote } from './state/use-quote.ts';
import { WaitNote } from './wait-note.tsx';
import { Welcome } from './welcome.tsx';

// Parts that the first sight of the page does not need.
const Advanced = lazyPart(async () => (await import('./advanced.tsx')).Advanced);
const CompareEngines = lazyPart(async () => (await import('./compare-engines.tsx')).CompareEngines);
const ResultSheet = lazyPart(async () => (await import('./result-sheet.tsx')).ResultSheet);
const Snippets = lazyPart(async () => (await import('./snippets.tsx')).Snippets);
const Stage = lazyPart(async () => (await import('./stage.tsx')).Stage);

/** Names of the kinds of swaps. */
const KIND_NAMES: Readonly<Record<SwapKind, string>> = {
  photo: 'Photo',
  batch: 'Batch',
  group: 'Group',
  film: 'Film',
};

/** Screens on which the result lies over the page. */
const PHONE = '(max-width: 47.99em)';

/** The swaps that were shown last, so that they are still shown after a visit of another page. */
let lastShown: readonly string[] = [];

/** The page of swaps: what is chosen at the left, the result at the right. */
export function SwapPage({ kind }: { kind: SwapKind }) {
  const draft = useDraft();
  const { me, reload } = useSession();
  const [, navigate] = useLocation();
  // Nothing, one swap, or several that are compared.
  const [shown, setShown] = useState(lastShown);
  const engines = useEngines();
  const [isSheetOpen, setIsSheetOpen] = useState(false);
  const isPhone = useMediaQuery(PHONE) ?? false;
  const runs = useRuns();
  const film = useFilm(kind === 'film' ? draft.film : null);
  const order = useMemo(() => orderOf(kind, draft), [kind, draft]);
  // The restore options do not change the price, so changing them needs no new quote. A film is not
  // uploaded for a quote: its price follows from its length.
  const { faces, savedFace, photo, photos, group, mappings } = draft;
  const { engine, consent } = draft.options;
  const hasConsent = (consent ?? '').trim() !== '';
  const question = useMemo(() => {
    if (kind === 'film') return null;
    const options = {
      ...(engine === undefined ? {} : { engine }),
      ...(hasConsent ? { consent: consent! } : {}),
    };
    const plain = orderOf(kind, { ...draft, options });
    return typeof plain === 'string' ? null : plain;
    // Of the consent only matters whether there is one: not each letter needs a new quote.
  }, [kind, faces, savedFace, photo, photos, group, mappings, engine, hasConsent]);
  const quoted = useQuote(question);
  // Without a quote, the face is looked at by itself.
  const look = useFaces(kind === 'film' ? (faces[0] ?? null) : null);
  const notes = useNotes(kind, draft, quoted, look);
  const show = (...ids: readonly string[]): void => {
    lastShown = ids;
    setShown(ids);
    setIsSheetOpen(true);
  };
  const start = (wanted: Order): string => startRun(wanted, quoted.quote?.faces ?? {}, () => void reload());
  const swap = (): void => {
    if (typeof order !== 'string') show(start(order));
  };
  const priceFactor = engineOf(engines, engine)?.priceFactor ?? 1;
  const price = quoted.quote?.requiredCredits;
  const comparison = (list: Engines, credits: number) => ({
    credits: list.engines.reduce((sum, each) => sum + (credits / priceFactor) * each.priceFactor, 0),
    start: (): void => {
      const options = list.engines.map(({ id }) => ({ ...draft.options, engine: id }));
      const orders = options.map((each) => orderOf(kind, { ...draft, options: each }));
      show(...orders.filter((each) => typeof each !== 'string').map(start));
    },
  });
  usePaste((files) => putFiles(kind, draft, files));
  const shownRuns = shown.flatMap((id) => runs.find(({ key }) => key === id) ?? []);
  const consentError = consentErrorOf(quoted, shownRuns, draft);
  const [first] = shown;
  const shownTask = shownRuns[0] === undefined ? (first ?? null) : shownRuns[0].taskId;
  const isGone = first?.startsWith('run-') && shownRuns.length === 0;
  const result =
    first === undefined || isGone ? (
      <Welcome onSamples={(face, scene) => changeDraft({ faces: [face], photo: scene, photos: [scene] })} />
    ) : (
      <Suspense fallback={<Loading />}>
        {shown.length > 1 ? (
          <CompareEngines
            runs={shownRuns}
            onChoose={(id) => changeDraft({ options: { ...draft.options, engine: id } })}
          />
        ) : (
          <Stage
            shown={first}
            onUseAsTarget={(file) => {
              changeDraft({ photo: file });
              navigate(SWAP_PATHS.photo);
            }}
          />
        )}
      </Suspense>
    );
  return (
    <div className="swap">
      <Stack gap="md">
        <PageTitle title="Swap" />
        <SegmentedControl
          fullWidth
          aria-label="What to change"
          data={SWAP_KINDS.map((value) => ({ value, label: KIND_NAMES[value] }))}
          value={kind}
          onChange={(value) => navigate(SWAP_PATHS[value as SwapKind])}
        />
        <Inputs kind={kind} draft={draft} film={film} notes={notes} faces={quoted.quote?.faces ?? {}} />
        <Folded title="Advanced" isNeeded={consentError !== null}>
          {() => (
            <Advanced
              kind={kind}
              options={draft.options}
              isVideo={draft.film?.type.startsWith('video/') ?? false}
              engines={engines}
              consentError={consentError}
              onChange={(options) => changeDraft({ options })}
              comparison={
                kind === 'photo' && engines !== null && price !== undefined
                  ? comparison(engines, price)
                  : null
              }
            />
          )}
        </Folded>
        <WaitNote until={quoted.waitUntil} />
        <SwapBar
          kind={kind}
          draft={draft}
          missing={typeof order === 'string' ? order : null}
          quoted={quoted}
          film={film}
          priceFactor={priceFactor}
          notes={[...notes.values()]}
          me={me ?? null}
          onSwap={swap}
        />
        {typeof order !== 'string' && (
          <Folded title="This request as curl and TypeScript">
            {() => <Snippets path={order.path} form={order.form} />}
          </Folded>
        )}
      </Stack>
      {!isPhone && (
        <Stack className="stage">
          {result}
          <Recent shown={shownTask} onShow={show} />
        </Stack>
      )}
      {isPhone && first === undefined && result}
      {isPhone && first !== undefined && !isSheetOpen && (
        <Button variant="default" onClick={() => setIsSheetOpen(true)}>
          Show the result
        </Button>
      )}
      {isPhone && <Recent shown={shownTask} onShow={show} />}
      {isPhone && isSheetOpen && (
        <Suspense fallback={null}>
          <ResultSheet onClose={() => setIsSheetOpen(false)}>{result}</ResultSheet>
        </Suspense>
      )}
    </div>
  );
}

/** Returns what is to say about each file. */
function useNotes(kind: SwapKind, draft: Draft, { quote, error }: Quoted, look: Look<DetectedFaces>) {
  const { faces, savedFace, photos, people } = draft;
  return useMemo(() => {
    const counts = { face: savedFace === null ? faces.length : 1, target: photos.length };
    const notes = notesOf(kind, quote?.warnings ?? [], counts);
    const refused = error === null ? null : noteOfError(kind, error);
    if (refused !== null) notes.set(...refused);
    const looked = kind === 'film' && people.size === 0 ? noteOfLook(look.found) : null;
    if (looked !== null) notes.set('face 0', looked);
    return notes;
  }, [kind, faces, savedFace, photos, people, quote, error, look]);
}

/** Returns what the service says against the consent. null if it has changed since. */
function consentErrorOf({ error }: Quoted, runs: readonly Run[], { options }: Draft): string | null {
  const sent = options.consent?.trim() || null;
  const ofRuns = runs.filter(({ order }) => order.form.get('consent') === sent).map((run) => run.error);
  const refused = [error, ...ofRuns].find((each) => each?.field === 'consent');
  return refused ? sentenceOf(refused.message, 'consent') : null;
}

/** Puts pasted files where the first one is missing: the face, and then what is changed. */
function putFiles(kind: SwapKind, { faces, savedFace, photos }: Draft, files: File[]): void {
  if (kind !== 'group' && faces.length === 0 && savedFace === null) return changeDraft({ faces: files });
  if (kind === 'photo') return changeDraft({ photo: files[0]! });
  if (kind === 'batch') return changeDraft({ photos: [...photos, ...files] });
  changeDraft(kind === 'group' ? { group: files[0]! } : { film: files[0]! });
}
