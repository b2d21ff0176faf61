/**
 * Failure of a fetch. `message` may be shown to clients: a clause that completes "could not be
 * fetched: ...", without an address of this network and without a full stop. The cause is for the
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
