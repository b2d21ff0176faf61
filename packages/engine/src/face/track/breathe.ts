/**
 * Between the steps of a frame: lets the thread start what decoder and encoder are to do next,
 * which wait with their cores idle else.
 */
export function breathe(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
