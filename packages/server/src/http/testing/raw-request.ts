import { connect, type Socket } from 'node:net';

/** A connection that sends the given bytes and collects the answer. */
export interface RawConnection {
  readonly socket: Socket;
  /** Resolves with all received text once it matches. */
  until(pattern: RegExp): Promise<string>;
  /** Resolves with all received text when the other side has closed the connection. */
  readonly closed: Promise<string>;
}

const LIMIT_MS = 60_000;

export function openRaw(port: number, bytes: string): RawConnection {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  const closed = Promise.withResolvers<string>();
  socket.setEncoding('latin1').on('data', (text: string) => (received += text));
  socket.on('error', () => {});
  socket.on('close', () => closed.resolve(received));
  socket.write(bytes);
  return {
    socket,
    closed: closed.promise,
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`${pattern} never came: ${received}`)), LIMIT_MS);
        const look = (): void => {
          if (!pattern.test(received)) return;
          clearTimeout(timer);
          socket.off('data', look);
          resolve(received);
        };
        socket.on('data', look);
        look();
      }),
  };
}
