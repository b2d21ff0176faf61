import { makeClip } from '@guise/media/video/test-clip.ts';
import type { NodeAv } from '@guise/media/video/node-av.ts';
import { processVideo } from '@guise/media/clip/process-video.ts';

/** A picture without alpha that is put into a clip. */
export interface Tile {
  /** Name by which a test identifies the person in the picture. */
  readonly name: string;
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Where a tile is in one frame. */
export interface PlacedTile {
  readonly tile: Tile;
  readonly x: number;
  readonly y: number;
}

/** A clip that is composed of pictures of people, so that every person's place is known. */
export interface ComposedClip {
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  readonly framesPerSecond: number;
  /** Returns the tiles of a frame. The nearest tile is last. */
  readonly tiles: (frame: number) => readonly PlacedTile[];
}

/** Writes a composed clip as MP4. */
export async function composeClip(av: NodeAv, filePath: string, clip: ComposedClip): Promise<void> {
  const { width, height, frames, framesPerSecond, tiles } = clip;
  const plain = `${filePath}.plain.mp4`;
  await makeClip(av, plain, {
    container: 'mp4',
    width,
    height,
    ticks: Array.from({ length: frames }, (_, k) => 12 * k),
    timeBase: { num: 1, den: 12 * framesPerSecond },
  });
  await processVideo({
    inputPath: plain,
    outputPath: filePath,
    container: 'mp4',
    onFrame: (frame) => {
      for (const { tile, x, y } of tiles(frame.index)) {
        const rect = { x: Math.round(x), y: Math.round(y), width: tile.width, height: tile.height };
        frame.commitRgb(rect, tile);
      }
    },
  });
}
