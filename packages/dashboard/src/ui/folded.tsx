import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';

interface FoldedProps {
  readonly title: string;
  /** Opens the part when it becomes true. */
  readonly isNeeded?: boolean;
  readonly children: () => ReactNode;
}

/** A part of a page that is shown on request. Its content is made when it is first opened. */
export function Folded({ title, isNeeded = false, children }: FoldedProps) {
  const [wasOpened, setWasOpened] = useState(false);
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (isNeeded) details.current!.open = true;
  }, [isNeeded]);
  return (
    <details
      ref={details}
      className="folded"
      onToggle={({ currentTarget }) => currentTarget.open && setWasOpened(true)}
    >
      <summary>{title}</summary>
      {wasOpened && <Suspense fallback={null}>{children()}</Suspense>}
    </details>
  );
}
