import type { Engine, Engines } from '@guise/client';
import '@mantine/core/styles/InlineInput.css';
import '@mantine/core/styles/Slider.css';
import '@mantine/core/styles/Switch.css';
import {
  CLIP_RESTORE,
  STILL_RESTORE,
  VIDEO_QUALITIES,
  type VideoQuality,
} from '@guise/contract/ai-tasks/forms.ts';
import { AI_TASKS_LIMITS } from '@guise/contract/limits.ts';
import {
  Button,
  Group,
  Input,
  NativeSelect,
  SegmentedControl,
  Slider,
  Stack,
  Switch,
  Text,
  Textarea,
} from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { SwapKind, SwapOptions } from './state/draft.ts';

interface AdvancedProps {
  readonly kind: SwapKind;
  readonly options: SwapOptions;
  /** Whether the film is a video, so that it can become a video or a GIF. */
  readonly isVideo: boolean;
  /** null until they are known. */
  readonly engines: Engines | null;
  /** What the service says against the consent; null if nothing. */
  readonly consentError: string | null;
  readonly onChange: (options: SwapOptions) => void;
  /** A swap by each engine; null if that is not possible. */
  readonly comparison: { readonly credits: number; readonly start: () => void } | null;
}

/** The options that few swaps need. */
export function Advanced(props: AdvancedProps) {
  const { kind, options, isVideo, engines, consentError, onChange, comparison } = props;
  const { label: _, ...withoutLabel } = options;
  const consentField = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // The bar with the button would hide the field.
    if (consentError !== null) consentField.current?.scrollIntoView({ block: 'center' });
  }, [consentError]);
  const defaults = kind === 'film' ? CLIP_RESTORE : STILL_RESTORE;
  return (
    <Stack>
      <Textarea
        ref={consentField}
        label="Consent"
        description="Who agreed to this use of the face, and how."
        rows={2}
        maxLength={AI_TASKS_LIMITS.consentLength}
        value={options.consent ?? ''}
        error={consentError}
        onChange={({ currentTarget: { value } }) => onChange({ ...options, consent: value })}
      />
      {engines !== null && (engines.engines.length > 1 || options.engine !== undefined) && (
        <Engines list={engines} options={options} onChange={onChange} comparison={comparison} />
      )}
      {kind === 'film' && isVideo && (
        <Group>
          <Choice
            label="Result"
            values={['Video', 'GIF']}
            value={options.asGif ? 'GIF' : 'Video'}
            onChange={(value) => onChange({ ...options, asGif: value === 'GIF' })}
          />
          {options.asGif !== true && (
            <Choice
              label="Size"
              values={Object.keys(VIDEO_QUALITIES)}
              value={options.quality ?? '1080p'}
              onChange={(value) => onChange({ ...options, quality: value as VideoQuality })}
            />
          )}
        </Group>
      )}
      <Share
        label="Detail of the face"
        words="How much the new face is sharpened and its faults are removed."
        value={options.faceRestoreVisibility ?? defaults.faceRestoreVisibility}
        onChange={(faceRestoreVisibility) => onChange({ ...options, faceRestoreVisibility })}
      />
      <Share
        label="Light and grain"
        words="How much the new face gets the target's light, grain and sharpness."
        value={options.restoreVisibility ?? defaults.restoreVisibility}
        onChange={(restoreVisibility) => onChange({ ...options, restoreVisibility })}
      />
      <Switch
        label="Visible label"
        description="“AI face swapped” in the lower right corner of the result. The operator of this service may put it on in any case."
        checked={options.label === true}
        onChange={({ currentTarget: { checked } }) =>
          onChange(checked ? { ...options, label: true } : withoutLabel)
        }
      />
    </Stack>
  );
}

interface EnginesProps extends Pick<AdvancedProps, 'options' | 'onChange' | 'comparison'> {
  readonly list: Engines;
}

/** The choice of what draws the faces. */
function Engines({ list, options, onChange, comparison }: EnginesProps) {
  const { engine: _, ...others } = options;
  return (
    <Group align="end">
      <NativeSelect
        label="Engine"
        description="What draws the new face."
        data={list.engines.map((engine) => ({ value: engine.id, label: describe(engine) }))}
        value={options.engine ?? list.default}
        onChange={({ currentTarget: { value } }) =>
          onChange(value === list.default ? others : { ...others, engine: value })
        }
      />
      {comparison !== null && (
        <Button variant="default" onClick={comparison.start}>
          Compare all {list.engines.length} on this photo for {comparison.credits} credits
        </Button>
      )}
    </Group>
  );
}

function describe({ id, kind, resolution, priceFactor }: Engine): string {
  const origin = kind === 'mesh' ? 'built in' : `network, ${resolution} pixels`;
  return `${id} (${origin}${priceFactor === 1 ? '' : `, ${priceFactor} times the price`})`;
}

interface ChoiceProps {
  readonly label: string;
  readonly values: string[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Choice({ label, values, value, onChange }: ChoiceProps) {
  return (
    <Stack gap={4}>
      <Input.Label component="div" id={`choice-${label}`}>
        {label}
      </Input.Label>
      <SegmentedControl aria-labelledby={`choice-${label}`} data={values} value={value} onChange={onChange} />
    </Stack>
  );
}

interface ShareProps {
  readonly label: string;
  readonly words: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

function Share({ label, words, value, onChange }: ShareProps) {
  return (
    <div>
      <Text size="sm" fw={500}>
        {label}: {Math.round(value * 100)} %
      </Text>
      <Text size="xs" c="dimmed">
        {words}
      </Text>
      <Slider min={0} max={1} step={0.05} label={null} thumbLabel={label} value={value} onChange={onChange} />
    </div>
  );
}
