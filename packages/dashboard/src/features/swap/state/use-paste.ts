import { useEffect } from 'react';

/** Takes the first file that is pasted anywhere on the page. */
export function usePaste(onFiles: (files: File[]) => void): void {
  useEffect(() => {
    const take = (event: ClipboardEvent): void => {
      const pasted = [...(event.clipboardData?.files ?? [])];
      // Another part of the page may already have handled the paste.
      if (pasted.length > 0 && !event.defaultPrevented) onFiles(pasted.slice(0, 1));
    };
    document.addEventListener('paste', take);
    return () => document.removeEventListener('paste', take);
  });
}
