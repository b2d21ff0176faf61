import { forgetToken } from '../../api/ai-tasks.ts';
import { goTo } from '../../ui/navigation.ts';
import { isDoorway } from './door-paths.ts';

/** Loads who signed in and shows the page that was asked for, or the first one. */
export async function enter(reload: () => Promise<void>): Promise<void> {
  forgetToken();
  await reload();
  if (isDoorway(location.pathname)) goTo('/');
}
