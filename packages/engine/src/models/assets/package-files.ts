import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import path from 'node:path';

/** Names of the npm packages that contain the face models' weights. */
export const WEIGHT_PACKAGES = ['@mediapipe/face_mesh', '@vladmandic/face-api', '@vladmandic/human'] as const;
export type WeightPackage = (typeof WEIGHT_PACKAGES)[number];

/**
 * Returns the absolute path of a file of an installed package, even if the package does not export
 * it.
 */
export function packageFile(name: WeightPackage, file: string): string {
  return path.join(path.dirname(manifestPath(name)), file);
}

export function packageVersion(name: WeightPackage): string {
  return (JSON.parse(readFileSync(manifestPath(name), 'utf8')) as { version: string }).version;
}

function manifestPath(name: WeightPackage): string {
  const found = findPackageJSON(name, import.meta.url);
  if (!found) throw new Error(`The package ${name} is not installed; the face models are made from it`);
  return found;
}
