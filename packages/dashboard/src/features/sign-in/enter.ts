import { forgetToken } from '../../api/ai-tasks.ts';
import { navigate } from 'wouter/use-browser-location';
import { isDoorway } from './door-paths.ts';

/** Loads the account after signing in, and shows the requested page or the first one. */
export async function enter(reload: () => Promise<void>): Promise<void> {
  forgetToken();
  await reload();
  if (isDoorway(location.pathname)) navigate('/');
}
