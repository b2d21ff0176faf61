import { Client, type ClientConfig, type QueryConfig } from 'pg';

/**
 * Connection through a pooler in transaction mode, such as PgBouncer. Each transaction may run on
 * another server connection, so no state may be left on the connection.
 */
export class PooledClient extends Client {
  /** Statement that begins a transaction and makes the settings of an ordinary connection. */
  readonly begin: string;

  /** Removes settings from `config` that poolers refuse. Each transaction makes them instead. */
  constructor({ statement_timeout, idle_in_transaction_session_timeout, ...config }: ClientConfig = {}) {
    super(config);
    const settings = { statement_timeout, idle_in_transaction_session_timeout };
    const sets = Object.entries(settings)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `set local ${name} = ${Number(value)}`);
    this.begin = ['begin', ...sets].join('; ');
    // Assigned, because an override cannot have all the signatures of the method.
    const query = this.query.bind(this) as (...args: unknown[]) => unknown;
    this.query = ((statement: unknown, ...rest: unknown[]) =>
      query(isNamed(statement) ? { ...statement, name: undefined } : statement, ...rest)) as Client['query'];
  }
}

/**
 * Returns whether a statement is named. It would be prepared on one server connection and executed
 * on another.
 */
function isNamed(statement: unknown): statement is QueryConfig {
  // An object that submits itself, such as a cursor, is not a query configuration.
  return (
    typeof statement === 'object' && statement !== null && 'name' in statement && !('submit' in statement)
  );
}
