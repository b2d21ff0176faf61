import type { OutputFormat, VideoOutput } from '@guise/engine-host/protocol/engine-job.ts';

/** Formats of still images by the extension of the output file. */
export const FORMAT_OF_EXTENSION: Readonly<Record<string, OutputFormat>> = {
  '.png': 'png',
  '.jpg': 'jpeg',
  '.jpeg': 'jpeg',
  '.webp': 'webp',
};

/** Formats of videos and GIFs by the extension of the output file. */
export const CONTAINER_OF_EXTENSION: Readonly<Record<string, VideoOutput>> = {
  '.mp4': 'mp4',
  '.webm': 'webm',
  '.mov': 'mov',
  '.gif': 'gif',
};
