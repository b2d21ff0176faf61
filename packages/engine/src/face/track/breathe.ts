/**
 * Yields to the event loop between the steps of a frame, so that decoder and encoder get their next
 * work and no core is idle.
 */
export function breathe(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
