/**
 * A process for webhook-crash.test.ts to kill: sends what the database argv[2] holds; its leases do
 * not run out by themselves.
 */
import { startSender } from './sender-rig.ts';

const [url = ''] = process.argv.slice(2);
await startSender(url, { settings: { leaseMs: 3_600_000 } });
process.stdout.write('sending\n');
