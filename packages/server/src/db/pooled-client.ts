import { Client, type ClientConfig, type QueryConfig } from 'pg';

/**
 * Connection through a pooler in transaction mode, such as PgBouncer, where every transaction may
 * run on another connection of the server: nothing may be left on it.
 */
export class PooledClient extends Client {
  /** Statement that begins a transaction with the settings of a connection of our own. */
  readonly begin: string;

  /** Takes settings out of `config` that a pooler refuses: transactions have them. */
  constructor({ statement_timeout, idle_in_transaction_session_timeout, ...config }: ClientConfig = {}) {
    super(config);
    const settings = { statement_timeout, idle_in_transaction_session_timeout };
    const sets = Object.entries(settings)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `set local ${name} = ${Number(value)}`);
    this.begin = ['begin', ...sets].join('; ');
    // Assigned, because no override can have all the signatures of the method.
    const query = this.query.bind(this) as (...args: unknown[]) => unknown;
    this.query = ((statement: unknown, ...rest: unknown[]) =>
      query(isNamed(statement) ? { ...statement, name: undefined } : statement, ...rest)) as Client['query'];
  }
}

/** A named statement would be prepared on one connection of the server and asked for on another. */
function isNamed(statement: unknown): statement is QueryConfig {
  // What submits itself, such as a cursor, is no configuration.
  return (
    typeof statement === 'object' && statement !== null && 'name' in statement && !('submit' in statement)
  );
}
