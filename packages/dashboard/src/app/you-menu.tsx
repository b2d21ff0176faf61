import '@mantine/core/styles/Popover.css';
import {
  ActionIcon,
  Button,
  Popover,
  SegmentedControl,
  Stack,
  Text,
  useMantineColorScheme,
} from '@mantine/core';
import { KebabHorizontalIcon } from '@primer/octicons-react';
import { useSession } from '../session/session.tsx';

/** The theme and the way out. It is loaded by the click that opens it. */
export function YouMenu() {
  const { signOut } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Popover position="top-end" width={240} defaultOpened trapFocus>
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" aria-label="Theme and sign out">
          <KebabHorizontalIcon size={16} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label="Theme and sign out">
        <Stack gap="xs">
          <Text size="sm" c="dimmed">
            Theme
          </Text>
          <SegmentedControl
            fullWidth
            size="xs"
            aria-label="Theme"
            data={[
              { value: 'auto', label: 'System' },
              { value: 'light', label: 'Light' },
              { value: 'dark', label: 'Dark' },
            ]}
            value={colorScheme}
            onChange={(value) => setColorScheme(value as 'auto' | 'light' | 'dark')}
          />
          <Button variant="default" onClick={() => void signOut()}>
            Sign out
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
