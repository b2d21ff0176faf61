import v8 from 'node:v8';

/**
 * Makes V8 13.6 (Node 24) give every object its own numbers, in this process. Its Maglev compiler
 * leaves out objects that never leave compiled code, and where that code is given up in the middle
 * of `{ step: f() }` it makes them after all, but with one shared number for a fractional field: of
 * two results of one function the first then reads what the second wrote. It needs loops that are
 * compiled while they run and types that were forgotten, so about one new process in ten swapped
 * one of its first faces a little or plainly wrong. Without that optimisation nothing is measurably
 * slower.
 */
export function keepNumbersApart(): void {
  v8.setFlagsFromString('--no-maglev-escape-analysis');
}
