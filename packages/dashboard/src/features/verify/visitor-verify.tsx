import { VisitorFrame } from '../../ui/visitor-frame.tsx';
import { Verify } from './verify.tsx';
import { TextLink } from '../../ui/text-link.tsx';

/** The page for visitors who are not signed in. */
export function VisitorVerify() {
  return (
    <VisitorFrame aside={<TextLink href="/sign-in">Sign in</TextLink>}>
      <Verify />
    </VisitorFrame>
  );
}
