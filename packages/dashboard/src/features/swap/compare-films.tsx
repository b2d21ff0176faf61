import '@mantine/core/styles/Slider.css';
import { ActionIcon, Group, Slider, Text } from '@mantine/core';
import { MuteIcon, PlayIcon, SquareFillIcon, UnmuteIcon } from '@primer/octicons-react';
import { useRef, useState } from 'react';
import { CompareFrame } from './compare.tsx';
import { fileKey } from './file-key.ts';
import { useObjectUrl, useUnseenFilm } from './preview.tsx';

interface CompareFilmsProps {
  readonly before: File;
  readonly after: string;
  readonly width: number;
  readonly height: number;
  /** Time of the target at which the output begins, seconds. */
  readonly startSeconds: number;
}

/** Difference between the two players from which the target jumps to the output's time, seconds. */
const APART_SECONDS = 0.12;

/**
 * Plays the target and the output in step, in one frame. If the browser cannot play the target,
 * plays only the output.
 */
export function CompareFilms(props: CompareFilmsProps) {
  return <CompareOne key={fileKey(props.before)} {...props} />;
}

function CompareOne({ before, after, width, height, startSeconds }: CompareFilmsProps) {
  const url = useObjectUrl(before);
  const [first, second] = [useRef<HTMLVideoElement>(null), useRef<HTMLVideoElement>(null)];
  const { isUnseen, handlers } = useUnseenFilm();
  const [isPlaying, setIsPlaying] = useState(false);
  const [isMuted, setIsMuted] = useState(false);
  const [time, setTime] = useState({ at: 0, length: 0 });
  if (isUnseen)
    return <video className="shown" src={after} controls loop playsInline aria-label="The swapped video" />;
  const inStep = (): void => {
    const [target, output] = [first.current, second.current];
    if (target === null || output === null) return;
    setTime({ at: output.currentTime, length: output.duration || 0 });
    const wanted = output.currentTime + startSeconds;
    if (Math.abs(target.currentTime - wanted) > APART_SECONDS) target.currentTime = wanted;
  };
  return (
    <div>
      <CompareFrame
        ratio={width / height}
        before={
          url === null ? null : (
            <video
              ref={first}
              src={url}
              muted
              playsInline
              preload="auto"
              onLoadedData={inStep}
              {...handlers}
            />
          )
        }
        after={
          <video
            ref={second}
            src={after}
            muted={isMuted}
            playsInline
            preload="auto"
            aria-label="The swapped video"
            onLoadedMetadata={inStep}
            onTimeUpdate={inStep}
            onSeeked={inStep}
            onPlay={() => {
              setIsPlaying(true);
              void first.current?.play();
            }}
            onPause={() => {
              setIsPlaying(false);
              first.current?.pause();
            }}
          />
        }
      />
      <Group mt="xs" wrap="nowrap">
        <ActionIcon
          variant="default"
          size="lg"
          aria-label={isPlaying ? 'Pause' : 'Play'}
          onClick={() => void (isPlaying ? second.current?.pause() : second.current?.play())}
        >
          {isPlaying ? <SquareFillIcon size={16} /> : <PlayIcon size={16} />}
        </ActionIcon>
        <Slider
          style={{ flex: 1 }}
          min={0}
          max={time.length || 1}
          step={0.04}
          label={null}
          thumbLabel="Time of the video"
          value={time.at}
          onChange={(value) => {
            if (second.current !== null) second.current.currentTime = value;
          }}
        />
        <Text size="sm" c="dimmed" className="time">
          {time.at.toFixed(1)} / {time.length.toFixed(1)} s
        </Text>
        <ActionIcon
          variant="default"
          size="lg"
          aria-label={isMuted ? 'Sound on' : 'Sound off'}
          onClick={() => setIsMuted(!isMuted)}
        >
          {isMuted ? <MuteIcon size={16} /> : <UnmuteIcon size={16} />}
        </ActionIcon>
      </Group>
    </div>
  );
}
