import { forgetToken } from '../../api/ai-tasks.ts';
import { goTo } from '../../ui/navigation.ts';
import { isDoorway } from './door-paths.ts';

/** Loads the account after signing in, and shows the requested page or the first one. */
export async function enter(reload: () => Promise<void>): Promise<void> {
  forgetToken();
  await reload();
  if (isDoorway(location.pathname)) goTo('/');
}
