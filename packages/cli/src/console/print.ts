/** Prints a command's result, as JSON on request, otherwise as lines for a person. */
export function printResult(
  options: { readonly json?: true },
  result: unknown,
  lines: readonly string[],
): void {
  process.stdout.write(`${options.json ? JSON.stringify(result, null, 2) : lines.join('\n')}\n`);
}
