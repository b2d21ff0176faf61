import type { Task } from '../task.ts';
import type { EventId } from './event-id.ts';
import type { StreamSlot } from './stream-slots.ts';

/** A client that follows the tasks of an account by an event stream. */
export interface Follower {
  readonly accountId: string;
  readonly slot: StreamSlot;
  /** Hash of its API key. The stream ends when the key becomes invalid. */
  readonly keyHash: Buffer;
  /** The only task to follow; null for all tasks. */
  readonly taskId: string | null;
  /** Id of the last event that the client received; null for a new client. */
  readonly since: EventId | null;
  /** Returns whether an event can be sent now. */
  readonly hasRoom: () => boolean;
  readonly onTask: (task: Task, id: EventId) => void;
  /** Called when the key is invalid or the feed is closed, perhaps after the follower has left. */
  readonly onEnd: () => void;
}
