import type { Task } from '../task.ts';
import type { EventId } from './event-id.ts';

/** Somebody who follows the tasks of an account. */
export interface Follower {
  readonly accountId: string;
  /** Place of its stream among those of the account. */
  readonly slotId: string;
  /** Hash of the key by which it came: it is told nothing after the key has ended. */
  readonly keyHash: Buffer;
  /** Task to be told of alone; null for all. */
  readonly taskId: string | null;
  /** Last event that it got; null for a new one. */
  readonly since: EventId | null;
  /** Whether it may be told something now. */
  readonly hasRoom: () => boolean;
  readonly onTask: (task: Task, id: EventId) => void;
  /** Called when the key has ended or the feed is closed; perhaps after it has left. */
  readonly onEnd: () => void;
}
