/** Form of a Host header that names this machine. */
const LOOPBACK_HOST_PATTERN = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

/**
 * Returns whether a request's Host header names this machine. A page whose name was made to resolve
 * to 127.0.0.1 (DNS rebinding) comes from loopback too, but its browser sends that name.
 */
export function isLoopbackHost(host: string | undefined): boolean {
  return host !== undefined && LOOPBACK_HOST_PATTERN.test(host);
}
