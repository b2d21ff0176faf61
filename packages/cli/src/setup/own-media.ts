import { loadConfig } from '@guise/server/config/config.ts';
import { dataDirLayout } from '@guise/server/config/data-dir.ts';
import { makeDataDir } from '@guise/server/db/private-folder.ts';
import { LocalStorage } from '@guise/server/storage/local-storage.ts';
import type { Storage } from '@guise/server/storage/storage.ts';

/** Opens the media in the data folder. Returns null if the media are stored in a bucket. */
export async function openOwnMedia(): Promise<Storage | null> {
  const { s3, dataDir } = loadConfig();
  if (s3 !== null) return null;
  makeDataDir(dataDir);
  return LocalStorage.open(dataDirLayout(dataDir).media);
}
