import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';

/** Debian's Python, for which torch and onnx are installed. Another on the PATH has none. */
const PYTHON = process.env.GUISE_PYTHON ?? '/usr/bin/python3';
const canTrain = spawnSync(PYTHON, ['-c', 'import torch, numpy, onnx']).status === 0;

test(
  'the data that networks learn from is what was drawn',
  {
    skip: canTrain ? false : `${PYTHON} has no torch or no onnx: networks are trained elsewhere`,
  },
  () => {
    const tests = path.join(import.meta.dirname, 'tests');
    const { status, stderr } = spawnSync(PYTHON, ['-m', 'unittest', 'discover', '-s', tests], {
      encoding: 'utf8',
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', OMP_NUM_THREADS: '1' },
    });
    assert.equal(status, 0, stderr);
    assert.match(stderr, /^Ran [1-9]\d* tests? /m);
  },
);
