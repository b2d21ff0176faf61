import type { TriedHardware, VideoHardware } from '@guise/contract/video-hardware.ts';
import { unlessDied } from '@guise/engine-host/parent/unless-died.ts';

/** Hardware that encodes the videos of this machine. */
export interface WorkingHardware {
  readonly hardware: VideoHardware;
  /** Hash by which two machines recognise that they encode alike. */
  readonly header: string;
}

/** Form of `header`. */
const HEADER = /^[0-9a-f]{16}$/;

/**
 * Returns the first of the wanted hardware that encodes here; null if none does, so that x264
 * encodes.
 * @param tryThem tries them in a process of the engine; not called if none is wanted
 * @param onRefused called for each that does not work, up to the first that does
 */
export async function workingHardware(
  wanted: readonly VideoHardware[],
  tryThem: (wanted: readonly VideoHardware[]) => Promise<readonly TriedHardware[]>,
  onRefused: (hardware: VideoHardware, problem: string) => void,
): Promise<WorkingHardware | null> {
  if (wanted.length === 0) return null;
  const tried = await unlessDied(() => tryThem(wanted));
  for (const hardware of wanted) {
    // The engine's process is not trusted with the names.
    const { header, problem } = tried?.find((each) => each.hardware === hardware) ?? {};
    if (problem === undefined && HEADER.test(String(header))) return { hardware, header: String(header) };
    const silence = tried === null ? 'the process that tried it died.' : 'it was not tried.';
    onRefused(hardware, String(problem ?? silence));
  }
  return null;
}
