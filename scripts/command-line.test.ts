import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { program } from '@guise/cli/program.ts';
import type { Command } from 'commander';

const ROOT = path.resolve(import.meta.dirname, '..');

test('docs/cli.md is made from the declarations of the commands', () => {
  const script = path.join(ROOT, 'scripts/command-line.ts');
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
});

test('every command, argument and option has a description', () => {
  const mute = commandsOf(program).filter(
    (command) =>
      command.description() === '' ||
      command.registeredArguments.some(isMute) ||
      command.options.some(isMute),
  );
  assert.deepEqual(
    mute.map((command) => command.name()),
    [],
  );
});

function isMute({ description }: { readonly description: string }): boolean {
  return description === '';
}

function commandsOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(commandsOf)];
}
