import v8 from 'node:v8';

/**
 * Turns off an optimisation of V8 13.6 (Node 24), because of which about one new process in ten
 * swapped one of its first faces wrongly.
 *
 * V8's Maglev compiler leaves out objects that stay inside compiled code. If that code is discarded
 * in the middle of `{ step: f() }`, V8 creates the objects after all, but with one shared number
 * for a fractional field: the first of two results of one function then has the value of the
 * second. This needs loops that are compiled while they run, and forgotten types. Without the
 * optimisation nothing is measurably slower.
 */
export function disableEscapeAnalysis(): void {
  v8.setFlagsFromString('--no-maglev-escape-analysis');
}
