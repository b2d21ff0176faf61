import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TriedHardware, VideoHardware } from '@guise/contract/video-hardware.ts';
import { EngineDied } from '@guise/engine-host/parent/engine-died.ts';
import { workingHardware } from './working-hardware.ts';

const HEADER = '0123456789abcdef';

/** Chooses among the wanted hardware when a process says this of them. */
async function choose(wanted: readonly VideoHardware[], said: readonly TriedHardware[] | Error) {
  const refused: string[] = [];
  const tryThem = () => (said instanceof Error ? Promise.reject(said) : Promise.resolve(said));
  const working = await workingHardware(wanted, tryThem, (hardware, problem) =>
    refused.push(`${hardware}: ${problem}`),
  );
  return { working, refused };
}

test('the first hardware that works is used, and those before it are refused with a reason', async () => {
  const said: TriedHardware[] = [
    { hardware: 'vaapi', header: HEADER },
    { hardware: 'nvenc', problem: 'no driver.' },
  ];
  assert.deepEqual(await choose(['nvenc', 'vaapi'], said), {
    working: { hardware: 'vaapi', header: HEADER },
    refused: ['nvenc: no driver.'],
  });
});

test('nothing is tried if nothing is wanted', async () => {
  assert.deepEqual(await choose([], new Error('it was tried')), { working: null, refused: [] });
});

test('hardware that kills the process that tries it, or about which a process lies, is refused', async () => {
  assert.deepEqual(await choose(['nvenc'], new EngineDied('a signal')), {
    working: null,
    refused: ['nvenc: the process that tried it died.'],
  });
  const lies = [{ hardware: 'nvenc', header: 'drop table' }, { hardware: 'floppy' }] as never;
  assert.deepEqual(await choose(['nvenc', 'vaapi'], lies), {
    working: null,
    refused: ['nvenc: it was not tried.', 'vaapi: it was not tried.'],
  });
  await assert.rejects(choose(['nvenc'], new TypeError('a defect of ours')), TypeError);
});
