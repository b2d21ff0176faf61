import type { TaskDetailBody } from '@guise/contract/account/own.ts';
import { Anchor, Stack, Text } from '@mantine/core';
import { formatTime } from '../../ui/format.ts';
import { useOutputLink } from '../../ui/output-link.ts';
import { Provenance } from './provenance.tsx';

/** Shows an output as a picture or player with a download link, or the time when it was deleted. */
export function Output({ output }: { output: TaskDetailBody['outputs'][number] }) {
  const { index, contentType, width, height, expiresAt } = output;
  const { link, gone } = useOutputLink(output);
  const name = `Output ${index + 1}`;
  if (link === null) {
    return (
      <Text mb="xs">
        {name}, {width} x {height}: {gone}
      </Text>
    );
  }
  return (
    <Stack gap={4} mb="md">
      {contentType.startsWith('video/') ? (
        <video className="output" src={link} controls aria-label={name} />
      ) : (
        <img className="output" src={link} alt={name} />
      )}
      <Text size="sm">
        <Anchor href={link} download underline="always">
          Download
        </Anchor>{' '}
        {width} x {height}, until {formatTime(expiresAt ?? null)}
      </Text>
      <Provenance link={link} />
    </Stack>
  );
}
