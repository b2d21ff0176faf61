import type { NotificationChannel, Notifications } from './notifications.ts';

export interface FollowOptions {
  readonly channel: NotificationChannel;
  /** Notifications about changes. Without them, only the interval causes looks. */
  readonly notifications?: Notifications;
  /** Interval of looks without notifications. */
  readonly everyMs: number;
  /** Reads what may have changed. */
  readonly look: () => Promise<void>;
  /** Called with failures of `look`. */
  readonly onError: (error: unknown) => void;
}

export interface Following {
  /** Looks now. */
  look(): Promise<void>;
  close(): void;
}

/**
 * Looks again at every notification, and at intervals, because a notification may be lost. Looks
 * never overlap, so that an older result cannot replace a newer one.
 */
export function followChanges(options: FollowOptions): Following {
  const { channel, notifications, everyMs, onError } = options;
  let last: Promise<void> = Promise.resolve();
  const lookAfter = async (before: Promise<void>): Promise<void> => {
    await before;
    await options.look();
  };
  const look = (): Promise<void> => {
    const next = lookAfter(last);
    last = next.catch(() => {});
    return next;
  };
  const lookLater = (): void => void look().catch(onError);
  const timer = setInterval(lookLater, everyMs).unref();
  const stopListening = notifications?.listen(channel, lookLater);
  return {
    look,
    close() {
      clearInterval(timer);
      stopListening?.();
    },
  };
}
