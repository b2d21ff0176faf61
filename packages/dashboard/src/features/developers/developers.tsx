import { Suspense } from 'react';
import { lazyPart } from '../../ui/lazy-part.ts';
import { Loading } from '../../ui/part-boundary.tsx';
import { TabbedPage } from '../../ui/tabbed-page.tsx';
import { Keys } from './keys.tsx';
import { Webhooks } from './webhooks.tsx';

const Reference = lazyPart(async () => (await import('./reference.tsx')).Reference);

/** What programmers need: keys, webhooks and the reference. */
export function Developers({ tab }: { tab: string }) {
  return (
    <TabbedPage
      title="Developers"
      path="/developers"
      tab={tab}
      tabs={[
        { id: 'keys', name: 'Keys', content: () => <Keys /> },
        { id: 'webhooks', name: 'Webhooks', content: () => <Webhooks /> },
        {
          id: 'reference',
          name: 'API reference',
          content: () => (
            <Suspense fallback={<Loading />}>
              <Reference />
            </Suspense>
          ),
        },
      ]}
    />
  );
}
