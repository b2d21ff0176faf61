// Ends with 0 if this container's process is ready: an API's port is asked, or that of a worker
// which GUISE_WORKER_METRICS_PORT names.
const port = process.env.GUISE_WORKER_METRICS_PORT || process.env.PORT || '3000';
try {
  const { status } = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(4000) });
  process.exitCode = status === 200 ? 0 : 1;
} catch {
  process.exitCode = 1;
}
