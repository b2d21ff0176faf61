import path from 'node:path';
import { presentPersons } from '@guise/server/present/present-persons.ts';
import { withEngine } from '../setup/with-engine.ts';
import { withWorkspace } from '../setup/workspace.ts';

type FoundPersons = ReturnType<typeof presentPersons>;

/**
 * Finds the people in a video or GIF. The result is like the answer of `POST
 * /api/ai-tasks/detect-faces`.
 */
export async function findPersons(clip: string): Promise<FoundPersons> {
  const outcome = await withWorkspace(null, (workspace) =>
    withEngine(workspace, (engine) =>
      engine.run({ kind: 'look-at-clip', name: 'video', targetPath: path.resolve(clip), budgetMs: Infinity }),
    ),
  );
  return presentPersons({ ...outcome, framesLooked: outcome.sofar.looks.length });
}

/** Prints the people of a video or GIF. */
export function listPersons(found: FoundPersons, options: { readonly json?: true }): void {
  if (options.json) {
    process.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
    return;
  }
  const { width, height, durationSeconds, persons } = found;
  const count =
    persons.length === 0 ? 'nobody' : persons.length === 1 ? '1 person' : `${persons.length} people`;
  process.stdout.write(`${width} x ${height}, ${durationSeconds.toFixed(1)} s, ${count}\n`);
  for (const { personIndex, share, atSeconds, faceBox, warnings } of persons) {
    const [x, y, w, h] = [faceBox.x, faceBox.y, faceBox.width, faceBox.height].map(Math.round);
    process.stdout.write(
      `  person ${personIndex}: on camera ${Math.round(100 * share)} % of the time; ` +
        `${w} x ${h} at (${x}, ${y}) after ${atSeconds.toFixed(2)} s\n`,
    );
    for (const { message } of warnings) process.stdout.write(`    ${message}\n`);
  }
}
