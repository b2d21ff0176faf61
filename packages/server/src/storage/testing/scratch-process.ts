/** A process with a file on the scratch of the folder given, until it is killed. */
import { writeFile } from 'node:fs/promises';
import { LocalStorage } from '../local-storage.ts';

const storage = await LocalStorage.open(process.argv[2]!);
const file = storage.scratch.newPath('upload');
await writeFile(file, 'half an upload');
process.send!(file);
process.on('disconnect', () => process.exit());
