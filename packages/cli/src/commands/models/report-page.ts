/** What a swap of the samples by one engine showed. */
export interface TestedEngine {
  readonly id: string;
  /** Time to draw the face, once the engine is warm. */
  readonly swapMs: number;
  /** Memory of the engine's process after the swap. */
  readonly memoryBytes: number;
  /** Similarity to the source, 0..1; null if it could not be measured. */
  readonly identitySimilarity: number | null;
}

/** Returns a page that shows the sample faces by every engine, beside its figures. */
export function reportPage(engines: readonly TestedEngine[]): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Engines of guise</title>
<style>
  :root { color-scheme: light dark; }
  body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem; }
  main { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 420px), 1fr)); gap: 1.5rem; }
  figure { margin: 0; }
  img { width: 100%; border-radius: 8px; }
</style>
<h1>The sample faces by every engine</h1>
<main>
${figure('source.jpg', 'Source', 'Source')}
${figure('target.jpg', 'Target', 'Target')}
${engines
  .map(({ id, swapMs, memoryBytes, identitySimilarity }) =>
    figure(
      `${id}.png`,
      id,
      `<b>${id}</b><br>${swapMs} ms a face, ${Math.round(memoryBytes / 1e6)} MB<br>` +
        `likeness to the source: ${identitySimilarity?.toFixed(2) ?? 'not measured'}`,
    ),
  )
  .join('\n')}
</main>
</html>
`;
}

function figure(file: string, alt: string, caption: string): string {
  return `<figure><img src="${encodeURIComponent(file)}" alt="${alt}"><figcaption>${caption}</figcaption></figure>`;
}
