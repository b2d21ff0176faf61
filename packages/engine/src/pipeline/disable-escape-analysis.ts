import v8 from 'node:v8';

/**
 * Turns off an optimisation of V8 13.6 (Node 24) that made about one new process in ten swap one of
 * its first faces wrongly.
 *
 * Its Maglev compiler leaves out objects that never leave compiled code. If that code is discarded
 * in the middle of `{ step: f() }`, it creates them after all, but with one shared number for a
 * fractional field: the first of two results of one function then reads what the second wrote. It
 * needs loops that are compiled while they run and types that were forgotten. Nothing is measurably
 * slower without the optimisation.
 */
export function disableEscapeAnalysis(): void {
  v8.setFlagsFromString('--no-maglev-escape-analysis');
}
