/**
 * Error of an engine process that ended while it had a job, or before it was ready for one, and was
 * not ended by its parent.
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
