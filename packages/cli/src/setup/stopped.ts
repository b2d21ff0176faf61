/** Signals that ask a command to end, by the exit code that shells give for each. */
export const STOP_EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

export type StopSignal = keyof typeof STOP_EXIT_CODES;

/** The end of a command that was asked to stop, before it gave its output a name. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
  readonly exitCode: number;

  constructor(signal: StopSignal) {
    super('Stopped. Nothing was written.');
    this.exitCode = STOP_EXIT_CODES[signal];
  }
}
