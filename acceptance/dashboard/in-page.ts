import type { Page } from 'playwright-core';

/** What a test has the page itself do; as text, because the tests' own types know no document. */

/**
 * The picture on the clipboard, as another program puts it there: a PNG named `image.png` when
 * pasted.
 */
export async function copyPicture(page: Page, jpeg: Buffer): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.bringToFront();
  await page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob('${jpeg.toString('base64')}'), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    canvas.getContext('2d').drawImage(bitmap, 0, 0);
    const png = await canvas.convertToBlob({ type: 'image/png' });
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
  })()`);
}

/** Plays the page's video once. @returns seconds at its end. */
export function watchToTheEnd(page: Page): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve, reject) => {
    const video = document.querySelector('video[aria-label="The swapped video"]');
    video.loop = false;
    video.muted = true;
    video.addEventListener('ended', () => resolve(video.currentTime));
    video.addEventListener('error', () => reject(new Error(video.error.message)));
    video.play().catch(reject);
  })`);
}

/** Pixels of the first picture that has this text, as it is stored. */
export function naturalWidth(page: Page, alt: string): Promise<number> {
  return page.evaluate<number>(`document.querySelector('img[alt="${alt}"]').naturalWidth`);
}
