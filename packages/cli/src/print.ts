/** A command's result: the whole of it as JSON on request, else the lines a person wants. */
export function printResult(
  options: { readonly json?: true },
  result: unknown,
  lines: readonly string[],
): void {
  process.stdout.write(`${options.json ? JSON.stringify(result, null, 2) : lines.join('\n')}\n`);
}
