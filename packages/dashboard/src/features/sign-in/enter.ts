import { forgetToken } from '../../api/ai-tasks.ts';
import { goTo } from '../../ui/navigation.ts';
import { isDoorway } from './door-paths.ts';

/** After signing in: to where one wanted to go, or home. */
export async function enter(reload: () => Promise<void>): Promise<void> {
  forgetToken();
  await reload();
  if (isDoorway(location.pathname)) goTo('/');
}
