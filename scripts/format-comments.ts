/**
 * `npm run format:comments -- FILE...`: wraps comments wider than the gates allow, in these files.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { wrapComments } from './wrap-comments.ts';

for (const file of process.argv.slice(2)) {
  const text = readFileSync(file, 'utf8');
  const wrapped = wrapComments(file, text);
  if (wrapped !== text) {
    writeFileSync(file, wrapped);
    console.log(file);
  }
}
