import type { NotificationChannel, Notifications } from './notifications.ts';

export interface FollowOptions {
  readonly channel: NotificationChannel;
  /** Bring the news; without them only time does. */
  readonly notifications?: Notifications;
  /** Time between two looks without any news. */
  readonly everyMs: number;
  /** Reads what may have changed. */
  readonly look: () => Promise<void>;
  /** Gets failures of `look`. */
  readonly onError: (error: unknown) => void;
}

export interface Following {
  /** Looks now. */
  look(): Promise<void>;
  close(): void;
}

/**
 * Looks again at every notification, and now and then, because one may be lost. One look follows
 * the other, so that an older answer never replaces a newer one.
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
