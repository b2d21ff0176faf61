import type { Page } from 'playwright-core';
import { settled, slot, visit } from './browser.ts';
import { body, face, type Picked } from './media.ts';

/** Longest wait for the end of a swap. */
export const SWAP_LIMIT_MS = 120_000;

/** Opens the page of photos anew, and chooses a face and a photo. */
export async function choosePhoto(page: Page, source: Picked, target: Picked): Promise<void> {
  await visit(page, '/');
  await slot(page, 'The face to use').setInputFiles(source);
  await slot(page, 'The photo to change').setInputFiles(target);
}

/** Puts the sample face into a photo, from the choice to the end. */
export async function swapPhoto(page: Page, target = body): Promise<void> {
  await choosePhoto(page, face, target);
  await swap(page, 3);
}

/** Starts the swap that was chosen, once its price is told, and waits for its end. */
export async function swap(page: Page, credits: number): Promise<void> {
  await page.getByText(`${credits} credits`, { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Swap', exact: true }).click();
  await done(page, credits);
}

export async function done(page: Page, credits: number): Promise<void> {
  await page.getByText(`Done for ${credits} credits`).waitFor({ timeout: SWAP_LIMIT_MS });
  await settled(page);
}
