import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import { pipeline } from 'node:stream';

/** Simulates the host name of a database server, behind which another server can take over. */
export interface Relay {
  /** URL of the server through the relay. */
  readonly url: string;
  /** Breaks every connection, and refuses new ones. */
  cut(): void;
  /** Keeps all connections but passes no data, like a server without power. */
  silence(): void;
  /** Connects new connections to this server from now on. */
  pointTo(serverUrl: string): void;
  close(): Promise<void>;
}

/** Starts a relay on loopback to a PostgreSQL. */
export async function startRelay(serverUrl: string): Promise<Relay> {
  let target: NetConnectOpts | null = addressOf(serverUrl);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    if (target === null) return void client.destroy();
    const upstream = connect(target);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    }
    pipeline(client, upstream, client, () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(serverUrl);
  url.searchParams.delete('host');
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const cut = (): void => {
    target = null;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    cut,
    silence() {
      for (const socket of sockets) {
        socket.unpipe();
        socket.pause();
      }
    },
    pointTo(other) {
      target = addressOf(other);
    },
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}

function addressOf(serverUrl: string): NetConnectOpts {
  const { hostname, port, searchParams } = new URL(serverUrl);
  const host = searchParams.get('host') ?? hostname;
  const number = Number(port || 5432);
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${number}` } : { host, port: number };
}
