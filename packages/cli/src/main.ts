import { CommanderError } from 'commander';
import { program } from './program.ts';
import { Stopped } from './setup/stopped.ts';

/** Exit code for wrong or missing arguments. */
const USAGE_ERROR_EXIT_CODE = 2;

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // commander has printed the message. Asking for help is not an error.
    process.exitCode = error.exitCode === 0 ? 0 : USAGE_ERROR_EXIT_CODE;
  } else {
    process.stderr.write(`guise: ${error instanceof Error ? error.message : String(error)}\n`);
    if (process.env.GUISE_LOG_LEVEL === 'debug') console.error(error);
    process.exitCode = error instanceof Stopped ? error.exitCode : 1;
  }
}
