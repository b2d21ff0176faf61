/**
 * Whatever order a thief and a victim do things in, and whichever mails the victim opens: the
 * address is never the thief's.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Answer, Browser, readOutbox } from '../testing/browser.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';

const STEPS = 25;
const VICTIM_PASSWORD = 'the password of the victim';
const THIEF_PASSWORD = 'the password of the thief';

let app: TestApp;
before(async () => {
  app = await startTestApp({ GUISE_SIGN_UP: 'open', GUISE_PUBLIC_URL: 'http://guise.test' });
});
after(async () => {
  await app.close();
  assert.deepEqual(app.laterFailures, []);
});

/** mulberry32: the same steps in every run. @returns whole numbers from 0 to below `n`. */
function dice(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % n;
  };
}

interface Player {
  readonly browser: Browser;
  readonly email: string;
  readonly password: string;
}

const auth = ({ browser }: Player, path: string, body: object): Promise<Answer> =>
  browser.post(`/account/auth/${path}`, body);

/** Any mail to one's own address, old or new, and whatever its link is good for. */
async function openMail(player: Player, roll: (n: number) => number): Promise<void> {
  const mails = (await readOutbox(app)).filter(({ to, token }) => to === player.email && token !== '');
  if (mails.length === 0) return;
  // Mostly what came last.
  const { token } = mails[roll(2) === 0 ? roll(mails.length) : mails.length - 1]!;
  const newPassword = player.password;
  await auth(player, 'verify-email', { token, newPassword });
  await auth(player, 'reset-password', { token, newPassword });
  await auth(player, 'confirm-email', { token });
}

for (const seed of [1, 2, 3]) {
  test(`no order of steps gives a thief the address of another (${seed})`, async () => {
    const roll = dice(seed);
    const victim = {
      browser: new Browser(app),
      email: `victim-${seed}@example.com`,
      password: VICTIM_PASSWORD,
    };
    const thief = { browser: new Browser(app), email: `thief-${seed}@example.com`, password: THIEF_PASSWORD };
    const moves: ((player: Player) => Promise<unknown>)[] = [
      (player) => auth(player, 'sign-up', { email: victim.email }),
      (player) => auth(player, 'sign-up', { email: player.email }),
      (player) => auth(player, 'resend-verification', { email: victim.email }),
      (player) => auth(player, 'request-reset', { email: victim.email }),
      (player) => auth(player, 'sign-in', { email: victim.email, password: player.password }),
      (player) => auth(player, 'sign-in', { email: player.email, password: player.password }),
      (player) => auth(player, 'change-email', { newEmail: victim.email, password: player.password }),
      (player) =>
        auth(player, 'change-password', { currentPassword: player.password, newPassword: player.password }),
      (player) => openMail(player, roll),
      (player) => openMail(player, roll),
      ({ browser }) => browser.post('/account/keys', { name: 'spare' }),
    ];
    // Somebody with an account of their own can do more harm.
    await auth(thief, 'sign-up', { email: thief.email });
    await openMail(thief, roll);
    await auth(thief, 'sign-in', { email: thief.email, password: thief.password });
    const ids = new Set<string>();
    for (let step = 0; step < STEPS; step++) {
      await app.deps.database.pool.query('delete from sign_in_attempts');
      const player = roll(2) === 0 ? thief : victim;
      const move = roll(moves.length);
      await moves[move]!(player);
      await app.deps.signIn.settled();
      const { status, body } = await thief.browser.get('/account/me');
      if (status === 200) ids.add(body.id);
      assert.notEqual(body.email, victim.email, `step ${step}, move ${move}`);
    }
    // Nothing of the thief's is left in it for later: not a key, not a password, not an account
    // that became it.
    const { rows } = await app.deps.database.pool.query('select id from accounts where email = $1', [
      victim.email,
    ]);
    for (const { id } of rows) assert(!ids.has(id));
    await auth(thief, 'sign-in', { email: victim.email, password: thief.password });
    assert.notEqual((await thief.browser.get('/account/me')).body.email, victim.email);
    // And it is the victim's whenever they want.
    await app.deps.database.pool.query('delete from sign_in_attempts');
    await auth(victim, 'sign-up', { email: victim.email });
    await auth(victim, 'request-reset', { email: victim.email });
    await app.deps.signIn.settled();
    for (const { to, token } of (await readOutbox(app)).toReversed()) {
      if (to !== victim.email) continue;
      await auth(victim, 'reset-password', { token, newPassword: victim.password });
      await auth(victim, 'verify-email', { token, newPassword: victim.password });
    }
    const entered = await auth(victim, 'sign-in', { email: victim.email, password: victim.password });
    assert.equal(entered.status, 200);
  });
}
