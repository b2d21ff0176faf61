import type { Me } from '@guise/contract/account/own.ts';
import { isTerminal } from '@guise/contract/task.ts';
import {
  ActionIcon,
  AppShell,
  Badge,
  Burger,
  Group,
  Kbd,
  NavLink,
  Stack,
  Text,
  UnstyledButton,
} from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import {
  ArrowSwitchIcon,
  CodeIcon,
  GearIcon,
  GraphIcon,
  type Icon,
  KebabHorizontalIcon,
  PersonIcon,
  SearchIcon,
  ShieldIcon,
  TasklistIcon,
  VerifiedIcon,
} from '@primer/octicons-react';
import { type ReactNode, Suspense, useState } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { useLocation } from 'wouter';
import { useNewestTasks } from '../api/use-newest-tasks.ts';
import { useRuns } from '../features/swap/state/runs.ts';
import { useSession } from '../session/session.tsx';
import { lazyPart } from '../ui/lazy-part.ts';
import { swapKindOf } from '../features/swap/swap-paths.ts';

const Palette = lazyPart(async () => (await import('./palette.tsx')).Palette);
const Notices = lazyPart(async () => (await import('./notices.tsx')).Notices);
const YouMenu = lazyPart(async () => (await import('./you-menu.tsx')).YouMenu);

/** Number of the newest tasks that the badge counts. */
const COUNTED_TASKS = 50;

interface Place {
  readonly href: string;
  readonly name: string;
  readonly icon: Icon;
}

/** Pages of the menu, in groups. */
const PLACES: readonly (readonly Place[])[] = [
  [
    { href: '/', name: 'Swap', icon: ArrowSwitchIcon },
    { href: '/tasks', name: 'Tasks', icon: TasklistIcon },
    { href: '/faces', name: 'Faces', icon: PersonIcon },
    { href: '/verify', name: 'Verify', icon: VerifiedIcon },
  ],
  [
    { href: '/usage', name: 'Usage', icon: GraphIcon },
    { href: '/developers', name: 'Developers', icon: CodeIcon },
  ],
  [
    { href: '/settings', name: 'Settings', icon: GearIcon },
    { href: '/admin', name: 'Admin', icon: ShieldIcon },
  ],
];

/** Returns whether the menu offers a page to this account. */
function isOffered(href: string, me: Me | null | undefined): boolean {
  if (href === '/admin') return me?.role === 'owner';
  return href !== '/verify' || me?.publicVerify === true;
}

/** Frame of every page for signed-in users. */
export function Shell({ children }: { children: ReactNode }) {
  const { me } = useSession();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const hasRuns = useRuns().length > 0;
  // The palette is loaded when it is first opened.
  const [wantsPalette, setWantsPalette] = useState(0);
  const openPalette = (): void => setWantsPalette((count) => count + 1);
  useHotkeys([['mod+K', openPalette]], []);
  return (
    <AppShell
      header={{ height: { base: 52, sm: 0 } }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', sm: 'lg' }}
    >
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <AppShell.Header px="md" hiddenFrom="sm">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            <Burger
              opened={isOpen}
              onClick={toggle}
              size="sm"
              aria-label={isOpen ? 'Close the menu' : 'Open the menu'}
              aria-expanded={isOpen}
            />
            <Mark />
          </Group>
          <Text size="sm" c="dimmed">
            {me?.credits.available} credits
          </Text>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" aria-label="Pages">
        <Stack h="100%" gap="sm">
          <Group justify="space-between" visibleFrom="sm" px={8} mih={36}>
            <Mark />
          </Group>
          <UnstyledButton
            className="search"
            onClick={() => {
              close();
              openPalette();
            }}
          >
            <Group justify="space-between" wrap="nowrap">
              <Group gap={8}>
                <SearchIcon size={14} /> Go to
              </Group>
              <Kbd size="xs">Ctrl K</Kbd>
            </Group>
          </UnstyledButton>
          {PLACES.map((places) => (
            <div key={places[0]!.href}>
              {places
                .filter(({ href }) => isOffered(href, me))
                .map((place) => (
                  <PlaceLink key={place.href} place={place} onGo={close} />
                ))}
            </div>
          ))}
          <You />
        </Stack>
      </AppShell.Navbar>
      <AppShell.Main id="content">
        <div className="content">{children}</div>
      </AppShell.Main>
      {hasRuns && (
        <Extra>
          <Notices />
        </Extra>
      )}
      {wantsPalette > 0 && (
        <Extra>
          <Palette opening={wantsPalette} me={me} />
        </Extra>
      )}
    </AppShell>
  );
}

/** A part without which the page works. If it cannot be loaded or fails, `fallback` is shown. */
function Extra({ fallback = null, children }: { fallback?: ReactNode; children: ReactNode }) {
  return (
    <ErrorBoundary fallback={fallback}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </ErrorBoundary>
  );
}

function Mark() {
  return (
    <Group gap={8} wrap="nowrap">
      <img src="/icon.svg" alt="" width={24} height={24} />
      <Text fw={600} size="lg">
        guise
      </Text>
    </Group>
  );
}

function PlaceLink({ place: { href, name, icon: Shape }, onGo }: { place: Place; onGo: () => void }) {
  const [path, navigate] = useLocation();
  const isHere = href === '/' ? swapKindOf(path) !== undefined : path === href || path.startsWith(`${href}/`);
  return (
    <NavLink
      href={href}
      label={name}
      leftSection={<Shape size={16} />}
      rightSection={
        href === '/tasks' ? (
          <Extra>
            <Running />
          </Extra>
        ) : null
      }
      active={isHere}
      {...(isHere ? { 'aria-current': 'page' as const } : {})}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        onGo();
        navigate(href);
      }}
    />
  );
}

/** How many of the newest tasks have not ended. */
function Running() {
  const count = useNewestTasks(COUNTED_TASKS).filter(({ status }) => !isTerminal(status)).length;
  if (count === 0) return null;
  return (
    <Badge size="sm" circle aria-label={`${count} unfinished`}>
      {count}
    </Badge>
  );
}

/** Credits, and a menu with the theme and the way out. */
function You() {
  const { me } = useSession();
  const [isMenu, setIsMenu] = useState(false);
  const button = (
    <ActionIcon variant="subtle" color="gray" aria-label="Theme and sign out" onClick={() => setIsMenu(true)}>
      <KebabHorizontalIcon size={16} />
    </ActionIcon>
  );
  return (
    <Group mt="auto" justify="space-between" wrap="nowrap" className="you">
      <div style={{ minWidth: 0 }}>
        <Text size="sm" truncate>
          {me?.name || me?.email}
        </Text>
        <Text size="xs" c="dimmed">
          {me?.credits.available} credits
        </Text>
      </div>
      {isMenu ? (
        <Extra fallback={button}>
          <YouMenu />
        </Extra>
      ) : (
        button
      )}
    </Group>
  );
}
