import { Button, Group, Stack, Text } from '@mantine/core';
import { ArrowRightIcon } from '@primer/octicons-react';
import { useState } from 'react';
import { loadSample, SAMPLES } from './samples.ts';

/** What the place for results shows before the first swap: a pair of samples, one click away. */
export function Welcome({ onSamples }: { onSamples: (face: File, scene: File) => void }) {
  const [error, setError] = useState<string | null>(null);
  const load = async (): Promise<void> => {
    try {
      onSamples(
        await loadSample(SAMPLES.face, 'sample-face.jpg'),
        await loadSample(SAMPLES.scene, 'sample-scene.jpg'),
      );
    } catch (failure) {
      setError((failure as Error).message);
    }
  };
  return (
    <Stack align="center" className="welcome">
      <Group gap="sm" wrap="nowrap">
        <img src={SAMPLES.face} alt="A sample face" />
        <ArrowRightIcon size={24} />
        <img src={SAMPLES.scene} alt="A sample photo" />
      </Group>
      <Text c="dimmed" ta="center">
        The result appears here. Choose a face and a photo, or begin with two computer-generated people.
      </Text>
      <Button variant="default" onClick={() => void load()}>
        Use the samples
      </Button>
      {error !== null && <Text role="alert">{error}</Text>}
    </Stack>
  );
}
