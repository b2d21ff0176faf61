/**
 * Error of an engine process that ended by itself, while it had a job or before it was ready for
 * one.
 */
export class EngineDied extends Error {
  override readonly name = 'EngineDied';
  /** False if the process had two jobs, because either may have ended it. */
  readonly wasAlone: boolean;

  constructor(message: string, wasAlone = true) {
    super(message);
    this.wasAlone = wasAlone;
  }
}
