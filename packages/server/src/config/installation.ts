import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** How guise is installed here. */
export interface Installation {
  /** `folder`: an npm package in a folder. `machine`: an npm package for all folders. */
  readonly kind: 'clone' | 'folder' | 'machine';
  /** Folder for the data, unless GUISE_DATA_DIR names another one. */
  readonly dataDir: string;
  /** What people type to run a command. */
  readonly command: string;
  /** The only folder in which this command finds guise; null if every folder will do. */
  readonly commandFolder: string | null;
}

/** Folder of the clone or of the installed package. */
export const OWN_FOLDER = path.resolve(import.meta.dirname, '../../../..');

/** The installation that this code belongs to. */
export const INSTALLATION = describeInstallation(OWN_FOLDER, homedir());

/**
 * Describes the installation in `guiseFolder`. A package keeps its data outside of `node_modules`,
 * because npm deletes what it finds there.
 */
export function describeInstallation(guiseFolder: string, home: string): Installation {
  const inside = `${guiseFolder}${path.sep}`.indexOf(`${path.sep}node_modules${path.sep}`);
  const folder = inside === -1 ? guiseFolder : guiseFolder.slice(0, inside);
  if (inside === -1) return inFolder('clone', folder);
  // npx unpacks into a cache of its own, which it deletes.
  const isCache = path.basename(path.dirname(folder)) === '_npx';
  if (existsSync(path.join(folder, 'package.json')) && !isCache) return inFolder('folder', folder);
  return { kind: 'machine', dataDir: path.join(home, '.guise'), command: 'guise', commandFolder: null };
}

function inFolder(kind: 'clone' | 'folder', folder: string): Installation {
  return { kind, dataDir: path.join(folder, '.guise'), command: 'npx guise', commandFolder: folder };
}
