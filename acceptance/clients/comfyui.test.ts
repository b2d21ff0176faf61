import { execFile, spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { files, hasVideo, newAccount, service } from './rig.ts';

/** A Python with torch and Pillow, as ComfyUI has. */
const PYTHON = process.env.GUISE_PYTHON ?? '/usr/bin/python3';
const PROGRAM = path.join(import.meta.dirname, 'comfyui_nodes.py');

const skip =
  spawnSync(PYTHON, ['-c', 'import torch, PIL, numpy']).status === 0
    ? false
    : `${PYTHON} has no torch or no Pillow`;

const account = await newAccount();

/** Runs a function of comfyui_nodes.py. */
async function run(scenario: string): Promise<void> {
  const env = { ...process.env, GUISE_URL: service.url, GUISE_API_KEY: account.apiKey };
  await promisify(execFile)(PYTHON, [PROGRAM, scenario, JSON.stringify(files)], { env });
}

test('the nodes keep to the interface of ComfyUI', { skip }, () => run('interface'));

test('the nodes swap a batch of images, detect and verify', { skip }, () => run('images'));

test('a node that fails or is stopped cancels its tasks', { skip }, () => run('failures'));

test('the nodes swap people of a film', { skip: skip || !hasVideo }, () => run('film'));
