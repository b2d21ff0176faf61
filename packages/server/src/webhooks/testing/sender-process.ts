/**
 * A process that webhook-crash.test.ts can kill. It sends the events of the database argv[2]; its
 * leases do not expire by themselves.
 */
import { startSender } from './sender-rig.ts';

const [url = ''] = process.argv.slice(2);
await startSender(url, { settings: { leaseMs: 3_600_000 } });
process.stdout.write('sending\n');
