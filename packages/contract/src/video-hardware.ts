/** Hardware that can encode the videos of results, by the names of its interfaces. */
export const VIDEO_HARDWARE = ['nvenc', 'vaapi', 'videotoolbox'] as const;
export type VideoHardware = (typeof VIDEO_HARDWARE)[number];

/** Whether hardware encodes videos on a machine. */
export interface TriedHardware {
  readonly hardware: VideoHardware;
  /**
   * Hash of the encoder's header for one size, by which two machines recognise that they encode
   * alike; absent if the hardware does not work.
   */
  readonly header?: string;
  /** Why it does not work; absent if it does. */
  readonly problem?: string;
}
