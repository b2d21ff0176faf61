import type { Verification } from '@guise/client';
import { Card, Stack, Text, Title } from '@mantine/core';
import { AlertIcon, CheckCircleIcon, type Icon, InfoIcon } from '@primer/octicons-react';
import { CopyText } from '../../ui/copy-text.tsx';
import { Folded } from '../../ui/folded.tsx';
import { formatBytes } from '../../ui/format.ts';
import { type Finding, findingsOf } from './findings.ts';

/** Icons by tone; each has a shape of its own, because not everybody sees its colour. */
const ICONS: Record<Finding['tone'], Icon> = { good: CheckCircleIcon, bad: AlertIcon, open: InfoIcon };

/** Shows what a verification found out, and what it cannot know. */
export function Verdict({ verification }: { verification: Verification }) {
  const { file } = verification;
  const isMarked = verification.marked || verification.watermark.found;
  return (
    <Card withBorder>
      <Title order={2} size="h3" className="anywhere">
        {isMarked ? 'It is marked as made with AI' : 'It has no mark of AI'}
      </Title>
      <Text c="dimmed" mb="md" className="anywhere">
        {file.name}, {file.contentType}, {formatBytes(file.bytes)}
      </Text>
      <Stack component="ul" gap="md" className="findings">
        {findingsOf(verification).map((finding) => (
          <FindingRow key={finding.title} finding={finding} />
        ))}
      </Stack>
      <Text my="md">A file without marks may still be made with AI, because marks can be removed.</Text>
      <Folded title="The whole answer">
        {() => <CopyText name="answer" text={JSON.stringify(verification, null, 2)} />}
      </Folded>
    </Card>
  );
}

function FindingRow({ finding: { tone, title, text } }: { finding: Finding }) {
  const Shape = ICONS[tone];
  return (
    <li data-tone={tone}>
      <Shape size={20} />
      <div>
        <Text fw={600}>{title}</Text>
        <Text className="anywhere">{text}</Text>
      </div>
    </li>
  );
}
