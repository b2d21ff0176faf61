/** Signals that stop a command, with the exit codes that shells use for them. */
export const STOP_EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

export type StopSignal = keyof typeof STOP_EXIT_CODES;

/** Error for a command that was stopped before its output was complete. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
  readonly exitCode: number;

  constructor(signal: StopSignal) {
    super('Stopped. Nothing was written.');
    this.exitCode = STOP_EXIT_CODES[signal];
  }
}
