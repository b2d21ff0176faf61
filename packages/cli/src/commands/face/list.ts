import { listFaces } from '@guise/server/faces/saved-face.ts';
import { printResult } from '../../console/print.ts';
import { requireAccount, withDatabase } from '../../setup/with-database.ts';

/** Lists the saved faces of an account, newest first. */
export async function listFacesCommand({
  email,
  ...options
}: {
  readonly email: string;
  readonly json?: true;
}): Promise<void> {
  const faces = await withDatabase(async (db) => listFaces(db, (await requireAccount(db, email)).id));
  const shown = faces.map(({ id, name, consent, photos, createdAt, withdrawnAt }) => ({
    id,
    name,
    consent,
    photos: photos.length,
    createdAt,
    withdrawnAt,
  }));
  printResult(
    options,
    shown,
    shown.length === 0
      ? [`${email} has no saved face.`]
      : shown.map(({ id, name, consent, withdrawnAt }) => {
          const state = withdrawnAt === null ? '' : `, withdrawn ${withdrawnAt.toISOString()}`;
          return `${id}  ${name}${state}: ${consent}`;
        }),
  );
}
