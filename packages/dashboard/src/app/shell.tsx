import {
  AppShell,
  Burger,
  Button,
  Group,
  NavLink,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useSession } from '../session/session.tsx';
import { goTo, usePath } from '../ui/navigation.ts';
import { ALL_WORKFLOWS } from '../workflows/workflows.ts';

/** Paths and names of the pages in the menu. */
const MENU_PAGES = [
  ...ALL_WORKFLOWS.map(({ href, name }) => [href, name] as const),
  ['/tasks', 'Tasks'],
  ['/credits', 'Credits and usage'],
  ['/keys', 'API settings'],
  ['/docs', 'API reference'],
  ['/you', 'Account'],
] as const;

/** Frame of every page for signed-in users. */
export function Shell({ children }: { children: ReactNode }) {
  const { me, signOut } = useSession();
  const path = usePath();
  const [isOpen, setIsOpen] = useState(false);
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const places = [...MENU_PAGES, ...(me?.role === 'owner' ? [['/operator', 'Operator'] as const] : [])];
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 210, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="lg"
    >
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            <Burger
              opened={isOpen}
              onClick={() => setIsOpen(!isOpen)}
              hiddenFrom="sm"
              size="sm"
              aria-label={isOpen ? 'Close the menu' : 'Open the menu'}
              aria-expanded={isOpen}
            />
            <img className="mark" src="/icon.svg" alt="" width={28} height={28} />
            <Text fw={600} visibleFrom="xs">
              guise
            </Text>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
              {me?.credits.available} credits
            </Text>
            <Button
              variant="subtle"
              size="xs"
              style={{ flexShrink: 0 }}
              onClick={() => setColorScheme(scheme === 'dark' ? 'light' : 'dark')}
            >
              {scheme === 'dark' ? 'Light' : 'Dark'}
            </Button>
            <Button variant="default" size="xs" style={{ flexShrink: 0 }} onClick={() => void signOut()}>
              Sign out
            </Button>
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Pages" style={{ overflowY: 'auto' }}>
        {places.map(([href, label]) => (
          <NavLink
            key={href}
            href={href}
            label={label}
            variant="light"
            active={href === '/' ? path === '/' : path.startsWith(href)}
            {...(path === href ? { 'aria-current': 'page' as const } : {})}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey) return;
              event.preventDefault();
              setIsOpen(false);
              goTo(href);
            }}
          />
        ))}
      </AppShell.Navbar>
      <AppShell.Main id="content">
        <div className="content">{children}</div>
      </AppShell.Main>
    </AppShell>
  );
}
