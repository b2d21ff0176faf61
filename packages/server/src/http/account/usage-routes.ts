import type { FastifyInstance } from 'fastify';
import {
  type CreditsBody,
  creditsSchema,
  type RatesBody,
  ratesSchema,
  type UsageBody,
  usageSchema,
} from '@guise/contract/account/own.ts';
import { readRateUse } from '../../accounts/rate-use.ts';
import { type CreditEntry, listCreditEntries } from '../../credits/list-entries.ts';
import { readUsage } from '../../tasks/usage.ts';
import type { HttpDeps } from '../common/deps.ts';
import { accountOf, sessionOf } from './common/guard.ts';
import { onePage, readNumberPage, readOneOf, readQuery, readWhole } from '../common/page-query.ts';

/** Number of days that are shown by default. */
const DEFAULT_DAYS = 30;

/** Largest number of days that are shown. */
const MAX_DAYS = 365;

/** Length of a UTC day. */
const DAY_MS = 24 * 3_600_000;

export function addUsageRoutes(app: FastifyInstance, deps: HttpDeps): void {
  const { database } = deps;
  app.get(
    '/account/credits',
    { schema: { response: { 200: creditsSchema } } },
    async (request): Promise<CreditsBody> => {
      const query = readQuery(request, ['cursor', 'limit', 'by']);
      const isByTask = readOneOf('by', query.by, ['task']) !== undefined;
      const page = readNumberPage(query);
      const account = await accountOf(deps, request);
      const { rows, next } = await onePage(page, (asked) =>
        listCreditEntries(database, account.id, { ...asked, isByTask }),
      );
      return {
        available: account.creditsAvailable,
        held: account.creditsHeld,
        entries: rows.map(presentEntry),
        next,
      };
    },
  );
  app.get(
    '/account/usage',
    { schema: { response: { 200: usageSchema } } },
    async (request): Promise<UsageBody> => {
      const days = readWhole('days', readQuery(request, ['days']).days, DEFAULT_DAYS, MAX_DAYS);
      const rows = await readUsage(database, sessionOf(request).accountId, days);
      const now = Date.now();
      return { rows, from: dayOf(now - (days - 1) * DAY_MS), to: dayOf(now) };
    },
  );
  app.get(
    '/account/rates',
    { schema: { response: { 200: ratesSchema } } },
    async (request): Promise<RatesBody> => {
      const { id, plan } = await accountOf(deps, request);
      return { rates: await readRateUse(database, id, plan) };
    },
  );
}

function presentEntry({ createdAt, ...entry }: CreditEntry): CreditsBody['entries'][number] {
  return { ...entry, createdAt: createdAt.toISOString() };
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
