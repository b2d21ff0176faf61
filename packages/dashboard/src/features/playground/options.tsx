import { VIDEO_QUALITIES } from '@guise/contract/ai-tasks/forms.ts';
import { AI_TASKS_LIMITS } from '@guise/contract/limits.ts';
import { FileInput, Group, Input, NumberInput, SegmentedControl, Stack } from '@mantine/core';
import type { Workflow } from '../../workflows/workflows.ts';
import type { Files } from './swap-inputs.ts';

interface OptionsProps {
  readonly workflow: Workflow;
  readonly values: Record<string, string>;
  readonly onChange: (values: Record<string, string>) => void;
  readonly files: Files;
  readonly onFiles: (field: string, files: File[]) => void;
}

/** Shows the options of a swap; nothing if the workflow has none. */
export function Options({ workflow: { more, options }, values, onChange, files, onFiles }: OptionsProps) {
  if (options.length === 0) return null;
  const set = (name: string) => (value: string | number) => {
    const { [name]: _before, ...others } = values;
    onChange(value === '' ? others : { ...others, [name]: String(value) });
  };
  return (
    <Group align="end">
      {more !== null && (
        <FileInput
          label={more.label}
          placeholder={`Up to ${AI_TASKS_LIMITS.additionalSourceImages}, if you like`}
          accept={more.accept}
          multiple
          clearable
          clearButtonProps={{ 'aria-label': 'Remove these photos' }}
          w={250}
          value={[...(files[more.field] ?? [])]}
          onChange={(chosen) => onFiles(more.field, chosen)}
        />
      )}
      {options.includes('quality') && (
        <Stack gap={4}>
          <Input.Label component="div" id="quality">
            Quality
          </Input.Label>
          <SegmentedControl
            aria-labelledby="quality"
            data={Object.keys(VIDEO_QUALITIES)}
            value={values.quality ?? '1080p'}
            onChange={set('quality')}
          />
        </Stack>
      )}
      <NumberInput
        label="Restore the face (0 to 1)"
        placeholder="default"
        min={0}
        max={1}
        step={0.05}
        w={250}
        hideControls
        onChange={set('faceRestoreVisibility')}
      />
      <NumberInput
        label="Restore light and grain (0 to 1)"
        placeholder="default"
        min={0}
        max={1}
        step={0.05}
        w={250}
        hideControls
        onChange={set('restoreVisibility')}
      />
    </Group>
  );
}
