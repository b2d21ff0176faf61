import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Modal.css';
import { Modal, Text } from '@mantine/core';
import { SignInForm } from './sign-in-form.tsx';

interface SessionEndedProps {
  readonly email: string;
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

/** A form to sign in again, over the page. */
export function SessionEnded({ email, onDone, onClose }: SessionEndedProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      title="Your session has ended"
      centered
      // Locking the scroll position would need a style element, which our Content-Security-Policy
      // forbids.
      lockScroll={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Text mb="md">Sign in again to go on; what you entered is still here.</Text>
      <SignInForm email={email} onDone={onDone} />
    </Modal>
  );
}
