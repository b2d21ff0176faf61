/** Replaces the API or worker process in tests of the code that supervises them. */
import { appendFileSync } from 'node:fs';
import { runMain, startLifecycle, unlessStopping } from '../lifecycle.ts';

const lifecycle = startLifecycle();
const log = (line: string): void => appendFileSync(process.env.SCRIPT_LOG!, `${line}\n`);

await runMain(lifecycle.stopping, async () => {
  if (process.env.SCRIPT === 'fail-at-start') throw new Error('nothing works');
  if (process.env.SCRIPT === 'exit-at-start') process.exit(3);
  const { url } = await lifecycle.database({} as never);
  log(`database ${url}`);
  lifecycle.announceReady();
  // The channel to the parent keeps the process alive.
  await unlessStopping(new Promise(() => {}), lifecycle.stopping).catch(() => {});
  if (process.env.SCRIPT === 'never-leave') for (;;);
  log('stopped');
});
