import path from 'node:path';
import type { Config } from '../config/config.ts';
import { LocalStorage } from './local-storage.ts';
import { Scratch } from './scratch.ts';
import { S3Storage } from './s3-storage.ts';
import type { Storage } from './storage.ts';

/**
 * Opens the storage. @param mediaDir folder of the media, or of temporary files only if there is a
 * bucket.
 * @throws as `S3Storage.open`
 */
export async function openStorage({ s3 }: Pick<Config, 's3'>, mediaDir: string): Promise<Storage> {
  return s3 === null
    ? LocalStorage.open(mediaDir)
    : S3Storage.open(s3, await Scratch.open(path.join(mediaDir, 'scratch')));
}
