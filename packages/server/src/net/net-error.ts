/**
 * Failure of a fetch. `message` may be shown to clients: it completes the sentence "could not be
 * fetched: ...", contains no address of this network and has no full stop. The cause is for the
 * logs.
 */
export class NetError extends Error {
  override readonly name = 'NetError';
  readonly code: 'UNREACHABLE' | 'TOO_LARGE';

  constructor(code: NetError['code'], message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
