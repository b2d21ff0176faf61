/** A process for webhook-crash.test.ts to kill: sends what the database argv[2] holds, with leases of argv[3] ms. */
import { startSender } from './sender-rig.ts';

const [url = '', leaseMs] = process.argv.slice(2);
await startSender(url, { settings: { leaseMs: Number(leaseMs) } });
process.stdout.write('sending\n');
