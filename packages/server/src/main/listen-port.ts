import { createServer } from 'node:net';
import { StartError } from './lifecycle.ts';

/**
 * Returns `port` if it is free, or any free port for 0. Called before anything is started, so that
 * a busy port gives a short error and links can contain the real port.
 * @throws StartError if the address is taken or does not belong to this machine.
 */
export function findListenPort(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenRefusal(error, host, port)));
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : port));
    });
  });
}

/**
 * Makes the error for a port that cannot be opened.
 * @param variable environment variable that sets the port
 * @param hostVariable environment variable that sets the host
 */
export function listenRefusal(
  error: NodeJS.ErrnoException,
  host: string,
  port: number,
  variable = 'PORT',
  hostVariable = 'HOST',
): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartError(
        `Port ${port} on ${host} is taken by another program; set ${variable} to a free one.`,
      );
    case 'EACCES':
      return new StartError(
        `Port ${port} may not be opened by this user; set ${variable} to one above 1023.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartError(`${host} is not an address of this machine; set ${hostVariable} to one that is.`);
    default:
      return error;
  }
}
