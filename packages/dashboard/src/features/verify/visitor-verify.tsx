import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { VisitorFrame } from '../../ui/visitor-frame.tsx';
import { Verify } from './verify.tsx';

/** The page for visitors who are not signed in. */
export function VisitorVerify() {
  return (
    <VisitorFrame
      aside={
        <Anchor component={Link} underline="always" href="/sign-in">
          Sign in
        </Anchor>
      }
    >
      <Verify />
    </VisitorFrame>
  );
}
