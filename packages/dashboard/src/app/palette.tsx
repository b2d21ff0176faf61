import '@mantine/spotlight/styles.css';
import type { Me } from '@guise/contract/account/own.ts';
import { Spotlight, spotlight } from '@mantine/spotlight';
import { SearchIcon } from '@primer/octicons-react';
import { useEffect } from 'react';
import { useLocation } from 'wouter';

/** Pages and tabs that the palette offers. */
const ENTRIES: readonly (readonly [label: string, href: string])[] = [
  ['Swap a face in a photo', '/'],
  ['Swap faces in many photos', '/batch'],
  ['Swap faces in a group photo', '/group'],
  ['Swap faces in a video or GIF', '/film'],
  ['Tasks', '/tasks'],
  ['Tasks that failed', '/tasks?status=FAILED'],
  ['Saved faces', '/faces'],
  ['Usage and credits', '/usage'],
  ['API keys', '/developers'],
  ['Webhooks', '/developers/webhooks'],
  ['API reference', '/developers/reference'],
  ['Settings', '/settings'],
];
/** Page that exists unless the operator turned it off. */
const VERIFY_ENTRY: (typeof ENTRIES)[number] = ['Verify a file', '/verify'];
/** Tabs that the palette offers to the owner. */
const ADMIN_ENTRIES: typeof ENTRIES = [
  ['Admin: overview', '/admin'],
  ['Admin: accounts', '/admin/accounts'],
  ['Admin: invitations', '/admin/invitations'],
  ['Admin: blocklist', '/admin/blocklist'],
  ['Admin: failures', '/admin/failures'],
  ['Admin: audit log', '/admin/audit-log'],
];

/** A search over all pages. It opens each time `opening` changes. */
export function Palette({ opening, me }: { opening: number; me: Me | null | undefined }) {
  const [, navigate] = useLocation();
  useEffect(() => spotlight.open(), [opening]);
  const entries = [
    ...ENTRIES,
    ...(me?.publicVerify ? [VERIFY_ENTRY] : []),
    ...(me?.role === 'owner' ? ADMIN_ENTRIES : []),
  ];
  return (
    <Spotlight
      shortcut={null}
      lockScroll={false}
      nothingFound="No page matches."
      searchProps={{ leftSection: <SearchIcon size={16} />, placeholder: 'Go to', 'aria-label': 'Go to' }}
      actions={entries.map(([label, href]) => ({ id: href, label, onClick: () => navigate(href) }))}
    />
  );
}
