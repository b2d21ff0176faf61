/** Form of a Host header that means this machine. */
const LOOPBACK_HOST_PATTERN = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

/**
 * Returns whether a request's Host header means this machine. A hostile page whose name resolves to
 * 127.0.0.1 (DNS rebinding) also comes from loopback, but its Host header contains that name.
 */
export function isLoopbackHost(host: string | undefined): boolean {
  return host !== undefined && LOOPBACK_HOST_PATTERN.test(host);
}
