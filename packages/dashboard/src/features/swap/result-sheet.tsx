import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Drawer.css';
import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';

/** The result over the page of a phone. */
export function ResultSheet({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return (
    <Drawer
      opened
      onClose={onClose}
      position="bottom"
      size="88%"
      title="Result"
      lockScroll={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {children}
    </Drawer>
  );
}
