import { randomBytes, randomUUID } from 'node:crypto';
import { createAccount } from '../../accounts/create-account.ts';
import type { Plan } from '@guise/contract/plans.ts';
import type { Database } from '../../db/database.ts';
import type { NewTask, StoredInput, StoredOutput, TaskResult } from '../task.ts';

/** Creates rows for tests in a real database, in the same form as the service. */

export async function newAccount(db: Database, credits: number, plan: Plan = 'free'): Promise<string> {
  const account = await createAccount(db, {
    email: `${randomUUID()}@example.com`,
    plan,
    emailVerified: true,
    startingCredits: credits,
  });
  return account.id;
}

/** Makes a key in the same form as the storage. */
function newKey(folder: 'in' | 'out'): string {
  return `${folder}/${randomBytes(1).toString('hex')}/${randomBytes(23).toString('hex')}.jpg`;
}

/** Registers an upload that belongs to no task yet. */
async function newInput(db: Database, accountId: string, field: string): Promise<StoredInput> {
  const objectKey = newKey('in');
  await db.pool.query(
    `insert into objects (key, account_id, kind, size_bytes, delete_after)
     values ($1, $2, 'input', 1000, now() + interval '1 hour')`,
    [objectKey, accountId],
  );
  return {
    field,
    objectKey,
    fileName: 'photo.jpg',
    contentType: 'image/jpeg',
    sizeBytes: 1000,
    sha256: randomBytes(32).toString('hex'),
    width: 640,
    height: 480,
  };
}

/** A photo task for 3 credits. */
export async function newPhoto(db: Database, accountId: string, costCredits = 3): Promise<NewTask> {
  return {
    accountId,
    interface: 'ai-tasks',
    type: 'IMAGE_SWAP',
    lane: 'short',
    parameters: { faceRestoreVisibility: 1, restoreVisibility: 1 },
    work: {
      kind: 'swap-image',
      source: await newInput(db, accountId, 'sourceImage'),
      target: await newInput(db, accountId, 'targetImage'),
      restore: { faceRestoreVisibility: 1, restoreVisibility: 1 },
    },
    costCredits,
  };
}

/** A v1 batch of one target for 3 credits. */
export async function newBatch(db: Database, accountId: string): Promise<NewTask> {
  const source = await newInput(db, accountId, 'source_image');
  const target = { field: 'target_images[0]', url: 'https://media.example/target.jpg' };
  return {
    accountId,
    interface: 'v1',
    type: 'BATCH_FACE_SWAP',
    lane: 'long',
    parameters: {},
    work: {
      kind: 'swap-batch',
      items: [{ source, target }],
      restore: { faceRestoreVisibility: 1, restoreVisibility: 1 },
    },
    costCredits: 3,
  };
}

export async function newDetection(db: Database, accountId: string): Promise<NewTask> {
  return {
    accountId,
    interface: 'ai-tasks',
    type: 'DETECT_FACES',
    lane: 'short',
    parameters: {},
    work: { kind: 'detect-faces', images: [await newInput(db, accountId, 'image')] },
    costCredits: 0,
  };
}

/** Registers an output of a task. */
export async function newOutput(db: Database, accountId: string, taskId: string): Promise<StoredOutput> {
  const objectKey = newKey('out');
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  await db.pool.query(
    `insert into objects (key, account_id, task_id, kind, size_bytes, delete_after)
     values ($1, $2, $3, 'output', 2000, now() + interval '25 hours')`,
    [objectKey, accountId, taskId],
  );
  return {
    index: 0,
    objectKey,
    contentType: 'image/jpeg',
    width: 640,
    height: 480,
    sizeBytes: 2000,
    sha256: randomBytes(32).toString('hex'),
    expiresAt,
  };
}

export function resultWith(...outputs: StoredOutput[]): TaskResult {
  return {
    outputs,
    failures: [],
    receipt: {
      facesFound: 1,
      frames: { total: 1, swapped: 1, passedThrough: 0 },
      longestGapFrames: 0,
      engine: { name: 'mesh', version: '0.1.0' },
      identitySimilarity: 0.9,
      credits: 0,
    },
  };
}
