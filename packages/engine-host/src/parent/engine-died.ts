/**
 * An engine process ended while it had a job, or before it was ready for one, and its parent did
 * not end it.
 */
export class EngineDied extends Error {
  override readonly name = 'EngineDied';
  /** False if the process had two jobs, either of which may have ended it. */
  readonly wasAlone: boolean;

  constructor(message: string, wasAlone = true) {
    super(message);
    this.wasAlone = wasAlone;
  }
}
