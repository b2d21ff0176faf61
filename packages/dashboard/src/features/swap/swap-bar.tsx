import type { DetectedPersons } from '@guise/client';
import type { Me } from '@guise/contract/account/own.ts';
import { Alert, Button, Group, Text } from '@mantine/core';
import { type Draft, isGif, type SwapKind } from './state/draft.ts';
import { filmPrice } from './state/film-price.ts';
import type { Note } from './state/notes.ts';
import { sentenceOf } from './state/notes.ts';
import type { Look } from './state/use-look.ts';
import type { Quoted } from './state/use-quote.ts';
import { Failure } from '../../ui/failure.tsx';

interface SwapBarProps {
  readonly kind: SwapKind;
  readonly draft: Draft;
  /** What is missing; null if the swap can be started. */
  readonly missing: string | null;
  readonly quoted: Quoted;
  readonly film: Look<DetectedPersons>;
  /** Factor of the engine for the price. */
  readonly priceFactor: number;
  readonly notes: readonly Note[];
  readonly me: Me | null;
  readonly onSwap: () => void;
}

/** The price and the button that starts the swap. It stays in sight at the bottom. */
export function SwapBar(props: SwapBarProps) {
  const { kind, draft, missing: lacking, quoted, film, priceFactor, notes, me, onSwap } = props;
  const { quote, error, isRefused } = quoted;
  const isSearching = kind === 'film' && film.found === null && film.error === null;
  const missing = lacking ?? (isSearching ? 'Looking for people' : null);
  const cost =
    kind === 'film'
      ? costOfFilm(draft, film, me, priceFactor)
      : (quote?.requiredCredits ?? quote?.estimatedCredits);
  const isShort = missing === null && cost !== undefined && me !== null && cost > me.credits.available;
  const fatal = notes.filter(({ tone }) => tone === 'error');
  const isEmptyFilm = kind === 'film' && film.found?.persons.length === 0;
  const fails = fatal.length > 0 || isEmptyFilm;
  return (
    <div className="bar">
      {fatal.map(({ text }) => (
        <Alert key={text} color="red" role="alert" mb="xs">
          {text}
        </Alert>
      ))}
      {error !== null && fatal.length === 0 && (
        <Failure mb="xs">{sentenceOf(error.message, error.field ?? '')}</Failure>
      )}
      {isShort && (
        <Failure mb="xs" title="Not enough credits">
          This costs {cost} credits and you have {me!.credits.available}. Ask the operator for more.
        </Failure>
      )}
      <Group justify="space-between" wrap="nowrap">
        <Text role="status" size="sm">
          {missing ??
            (fails || error !== null ? 'This swap would fail.' : costText(cost, film.error !== null))}
        </Text>
        <Button size="md" disabled={missing !== null || isRefused || isShort || fails} onClick={onSwap}>
          Swap
        </Button>
      </Group>
    </div>
  );
}

function costText(cost: number | undefined, isUnknown: boolean): string {
  if (cost !== undefined) return `${cost} credits`;
  return isUnknown ? 'The price is not known' : 'Looking at the files';
}

/** Returns the price of a film; undefined until its length is known. */
function costOfFilm(
  draft: Draft,
  { found }: Look<DetectedPersons>,
  me: Me | null,
  priceFactor: number,
): number | undefined {
  if (found === null || me === null) return undefined;
  const { part, people } = draft;
  const seconds = part === null ? found.durationSeconds : part.end - part.start;
  return filmPrice(me.prices, isGif(draft), seconds, people.size) * priceFactor;
}
