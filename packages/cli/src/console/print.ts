/** Prints a command's result: all of it as JSON on request, else lines for a person. */
export function printResult(
  options: { readonly json?: true },
  result: unknown,
  lines: readonly string[],
): void {
  process.stdout.write(`${options.json ? JSON.stringify(result, null, 2) : lines.join('\n')}\n`);
}
