import { Alert, Button, Card, Group, SimpleGrid, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useSession } from '../../session/session.tsx';
import { Page } from '../../ui/page.tsx';
import { partName } from '../../workflows/slot.ts';
import { inWords } from '../../workflows/in-words.ts';
import type { Workflow } from '../../workflows/workflows.ts';
import { buildForm, missingOf } from './build-form.ts';
import { FaceMapper } from './face-mapper.tsx';
import { fileKey } from './file-key.ts';
import { FileSlot } from './file-slot.tsx';
import { Options } from './options.tsx';
import { isFatal, type Outcome, predictOutcome } from './predict-outcome.ts';
import { type Origin, Result } from './result.tsx';
import { Snippets } from './snippets.tsx';
import type { Files, Mapping } from './swap-inputs.ts';
import { usePaste } from './use-paste.ts';
import { useQuote } from './use-quote.ts';
import { useSwap } from './use-swap.ts';
import { WaitNote } from './wait-note.tsx';

/** Properties of the message for a warning with which the swap will certainly fail. */
const FATAL_MESSAGE_PROPS = { color: 'red', role: 'alert' } as const;

/** Origin that is passed to `Result` before the first swap. */
const NO_ORIGIN: Origin = { words: (sentence) => sentence, before: undefined };

/** Shows the page of a workflow: choose files, see the price, swap. */
export function Playground({ workflow }: { workflow: Workflow }) {
  const isGroup = workflow.kind === 'group';
  const { me, reload } = useSession();
  const [files, setFiles] = useState<Files>({});
  const [mappings, setMappings] = useState<Mapping[]>([]);
  const [options, setOptions] = useState<Record<string, string>>({});
  const [origin, setOrigin] = useState(NO_ORIGIN);
  const swap = useSwap(() => void reload());
  // The restore options do not change the price, so changing them needs no new quote.
  const priced = useMemo(
    () => buildForm(workflow, files, mappings, quality(options)),
    [workflow, files, mappings, options.quality],
  );
  const form = useMemo(
    () => buildForm(workflow, files, mappings, options),
    [workflow, files, mappings, options],
  );
  const { quote, error, isRefused, waitUntil } = useQuote(workflow.path, priced);
  const cost = quote?.requiredCredits ?? quote?.estimatedCredits;
  const isShort = cost !== undefined && me != null && cost > me.credits.available;
  const warnings = quote?.warnings ?? [];
  const outcome = predictOutcome(workflow, files, warnings);
  const put = (field: string, chosen: File[]): void => {
    setFiles((before) => ({ ...before, [field]: chosen }));
    if (isGroup) setMappings([]);
  };
  usePaste((pasted) =>
    put((workflow.slots.find(({ field }) => !files[field]?.length) ?? workflow.slots.at(-1)!).field, pasted),
  );
  const group = isGroup ? files.sourceImage?.[0] : undefined;
  const faceNumbers = mappings.map(({ face }) => face.faceIndex + 1);
  const words = (sentence: string): string => inWords(workflow, sentence, faceNumbers);
  const targets = files[workflow.slots.at(-1)!.field] ?? [];
  return (
    <Page title={workflow.title}>
      <SimpleGrid cols={{ base: 1, sm: workflow.slots.length }}>
        {workflow.slots.map((slot) => (
          <FileSlot
            key={slot.field}
            slot={slot}
            files={files[slot.field] ?? []}
            onFiles={(chosen) => put(slot.field, chosen)}
            facesOf={(index) => (isGroup ? [] : (quote?.faces[partName(slot, index)] ?? []))}
            isSmall={group !== undefined}
          />
        ))}
      </SimpleGrid>
      {group !== undefined && (
        <FaceMapper key={fileKey(group)} photo={group} mappings={mappings} onChange={setMappings} />
      )}
      <Options workflow={workflow} values={options} onChange={setOptions} files={files} onFiles={put} />
      {error !== null && (
        <Alert color="red" role="alert">
          {words(error)}
        </Alert>
      )}
      <WaitNote until={waitUntil} />
      {warnings.map((warning) => {
        const fails = isFatal(workflow, files, warning, warnings);
        return (
          <Alert key={warning.field + warning.code} {...(fails ? FATAL_MESSAGE_PROPS : { color: 'yellow' })}>
            {words(warning.message)}
            {warning.code === 'NO_FACE' && !fails && ' This file will be skipped and not charged.'}
          </Alert>
        );
      })}
      {isShort && (
        <Alert color="red" role="alert" title="Not enough credits">
          This costs {cost} credits and you have {me.credits.available}. Ask the operator for more.
        </Alert>
      )}
      <Card withBorder>
        <Group justify="space-between" mih={36}>
          <Text role="status">
            {costSentence(missingOf(workflow, files, mappings), cost, error !== null, outcome)}
          </Text>
          <Button
            disabled={form === null || isRefused || isShort || outcome === 'fails'}
            loading={swap.isRunning}
            onClick={() => {
              if (form === null) return;
              setOrigin({ words, before: targets.length === 1 ? targets[0] : undefined });
              void swap.start(workflow.path, form);
            }}
          >
            Swap
          </Button>
        </Group>
      </Card>
      <Result swap={swap} of={origin} />
      {form !== null && <Snippets path={workflow.path} form={form} />}
    </Page>
  );
}

function quality({ quality }: Record<string, string>): Record<string, string> {
  return quality === undefined ? {} : { quality };
}

function costSentence(
  missing: string | null,
  cost: number | undefined,
  isUnknown: boolean,
  outcome: Outcome,
): string {
  if (missing !== null) return `${missing}; the cost is shown here before you start the swap.`;
  if (isUnknown) return 'The cost is not known; see above.';
  if (cost === undefined) return 'Asking what it costs';
  if (outcome === 'fails') return 'This swap would fail; see above.';
  return outcome === 'weak'
    ? `Costs ${cost} credits; the result may be weak, see above`
    : `Costs ${cost} credits`;
}
