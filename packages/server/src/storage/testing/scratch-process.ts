/**
 * A process that holds a file in the scratch folder under the given directory until it is killed.
 */
import { writeFile } from 'node:fs/promises';
import { LocalStorage } from '../local-storage.ts';

const storage = await LocalStorage.open(process.argv[2]!);
const file = storage.scratch.newPath('upload');
await writeFile(file, 'half an upload');
process.send!(file);
process.on('disconnect', () => process.exit());
