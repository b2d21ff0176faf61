import { type ReactNode, Suspense, useState } from 'react';

/** A part of a page that is shown on request. Its content is made when it is first opened. */
export function Folded({ title, children }: { title: string; children: () => ReactNode }) {
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <details className="folded" onToggle={({ currentTarget }) => currentTarget.open && setWasOpened(true)}>
      <summary>{title}</summary>
      {wasOpened && <Suspense fallback={null}>{children()}</Suspense>}
    </details>
  );
}
