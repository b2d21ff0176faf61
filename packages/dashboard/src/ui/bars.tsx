import { lazyPart } from './lazy-part.ts';
import { PartBoundary } from './part-boundary.tsx';
import type { BarsProps } from './stacked-bars.tsx';

const StackedBars = lazyPart(async () => (await import('./stacked-bars.tsx')).StackedBars);

/** Like `StackedBars`, whose library is loaded with the first chart. */
export function Bars(props: BarsProps) {
  return (
    <PartBoundary fallback={<div style={{ height: 260 }} />}>
      <StackedBars {...props} />
    </PartBoundary>
  );
}
