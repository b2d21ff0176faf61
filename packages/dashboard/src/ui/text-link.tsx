import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

interface TextLinkProps {
  readonly href: string;
  readonly size?: 'sm';
  readonly 'aria-label'?: string;
  readonly children: ReactNode;
}

/** A link to another page, in a text. */
export function TextLink(props: TextLinkProps) {
  return <Anchor component={Link} underline="always" {...props} />;
}
