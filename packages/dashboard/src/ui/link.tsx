import type { AnchorHTMLAttributes } from 'react';
import { goTo } from './navigation.ts';

/**
 * A link that changes pages without reloading. With a modifier key it acts like an ordinary link.
 */
export function Link({ href, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  return (
    <a
      {...rest}
      href={href}
      onClick={(event) => {
        rest.onClick?.(event);
        if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0)
          return;
        event.preventDefault();
        goTo(href);
      }}
    >
      {rest.children}
    </a>
  );
}
