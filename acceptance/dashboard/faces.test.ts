/** Saved faces in a real browser: saved, used, withdrawn by the person, deleted. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { BOUNDED, look, openRig, type Rig, skipWithoutChromium, slot, visit } from './browser.ts';
import { body, face, faceClip, noFace, pairClip, skipWithoutVideo, twoFaces } from './media.ts';
import { choosePhoto, swap } from './swap-steps.ts';

const EMAIL = 'faces@example.com';
const CONSENT = 'Ada agreed in writing on 3 May 2026.';
const PHOTOS = 'Photos of the person';

/** The button that opens the saved faces of a place. */
const menu = (page: Page, place: string) => page.getByRole('button', { name: `${place}: saved face` });

/** Gives a place the saved face of Ada. */
async function useAda(page: Page, place: string): Promise<void> {
  await menu(page, place).click();
  await page.getByRole('button', { name: 'Use Ada' }).click();
  await page.getByRole('button', { name: 'Remove Ada' }).waitFor();
}

/** Says under Advanced that the person of an upload agreed, as the operator asks for it. */
async function agree(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Consent' }).fill('Bob agreed by mail.');
}

describe('saved faces', { skip: skipWithoutChromium }, () => {
  let rig: Rig;
  let page: Page;
  /** The link that was copied for the person. */
  let link: string;
  before(async () => {
    rig = await openRig({ GUISE_CONSENT: 'pro' });
    await rig.service.createAccount({ email: EMAIL, plan: 'pro', credits: 1000 });
    page = await rig.signedIn(EMAIL);
  });
  after(() => rig?.close());

  test('a face is saved; what is wrong is said at its field', BOUNDED, async () => {
    await visit(page, '/');
    assert.equal(await menu(page, 'The face to use').count(), 0);
    await page.getByRole('link', { name: 'Faces' }).click();
    await page.getByText('You have no saved face.').waitFor();
    await look(page, 'faces-none');
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('Consent').fill(CONSENT);
    const save = page.getByRole('button', { name: 'Save the face' });
    await save.click();
    await page.getByRole('alert').getByText('Choose a photo first.').waitFor();
    await slot(page, PHOTOS).setInputFiles([face, await noFace()]);
    await save.click();
    await page.getByRole('alert').getByText('No face was found in photo 2.').waitFor();
    await page.locator('.tile').filter({ hasText: 'Not possible' }).getByAltText('wall.png').waitFor();
    await look(page, 'faces-refused');
    await page.getByRole('button', { name: 'Remove wall.png' }).click();
    await save.click();
    await page.getByText('The face is saved.').waitFor();
    await page.getByRole('cell', { name: CONSENT }).waitFor();
    assert.equal(await page.getByLabel('Name').inputValue(), '');
    await look(page, 'faces');
  });

  test('it is used in a photo in place of uploads, and can be removed again', BOUNDED, async () => {
    await choosePhoto(page, face, body);
    await page.getByRole('button', { name: 'Remove face.jpg' }).click();
    await menu(page, 'The face to use').click();
    await page.getByRole('button', { name: 'Use Ada' }).waitFor();
    await look(page, 'faces-choice');
    await page.keyboard.press('Escape');
    await useAda(page, 'The face to use');
    assert.equal(await slot(page, 'The face to use').count(), 0);
    await page.getByRole('button', { name: 'Remove Ada' }).click();
    await slot(page, 'The face to use').waitFor({ state: 'attached' });
    await page.getByRole('link', { name: 'Faces' }).click();
    await page.getByRole('button', { name: 'Use Ada' }).click();
    await page.getByRole('button', { name: 'Remove Ada' }).waitFor();
    await swap(page, 3);
    await look(page, 'faces-chosen');
    // The task keeps the consent of the face.
    await page.getByRole('link', { name: 'Details' }).click();
    await page.getByRole('region', { name: 'Parameters' }).getByText(CONSENT).waitFor();
  });

  test('it stays while the kind of swap changes, and is used in a batch and a film', BOUNDED, async () => {
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('link', { name: 'Swap', exact: true }).click();
    await page.getByText('Batch', { exact: true }).click();
    await slot(page, 'The photos to change').setInputFiles([body, { ...body, name: 'more.jpg' }]);
    await swap(page, 6);
    await page.getByText('Group', { exact: true }).click();
    await slot(page, 'The group photo').waitFor({ state: 'attached' });
    await page.getByText('Film', { exact: true }).click();
    await page.getByRole('button', { name: 'Remove Ada' }).waitFor();
    if (skipWithoutVideo) return;
    await slot(page, 'The video or GIF to change').setInputFiles(await faceClip());
    await swap(page, 6);
  });

  test('an upload needs the consent that the operator asks for, and Advanced takes it', BOUNDED, async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await choosePhoto(page, face, body);
    const field = page.getByRole('textbox', { name: 'Consent' });
    await field.waitFor();
    await page.getByRole('alert').getByText('The consent is missing: the operator').waitFor();
    assert.equal(await field.getAttribute('aria-invalid'), 'true');
    // The page scrolls to the field, so that nothing lies over it.
    await page.waitForFunction(`(() => {
      const field = document.querySelector('textarea');
      const { x, y, width, height } = field.getBoundingClientRect();
      return document.elementFromPoint(x + width / 2, y + height / 2) === field;
    })()`);
    await look(page, 'faces-consent');
    await agree(page);
    await swap(page, 3);
    await page.getByRole('link', { name: 'Details' }).click();
    await page.getByRole('region', { name: 'Parameters' }).getByText('Bob agreed by mail.').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
  });

  test('a refused film opens Advanced too', { ...BOUNDED, skip: skipWithoutVideo }, async () => {
    await visit(page, '/film');
    await slot(page, 'The face to use').setInputFiles(face);
    await slot(page, 'The video or GIF to change').setInputFiles(await faceClip());
    await page.getByText('6 credits', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Swap', exact: true }).click();
    await agree(page);
    await swap(page, 6);
  });

  test('a face of a group gets it, and another one an upload; both stay on a return', BOUNDED, async () => {
    await visit(page, '/group');
    await slot(page, 'The group photo').setInputFiles(await twoFaces());
    await useAda(page, 'The new face for face 0');
    await slot(page, 'The new face for face 1').setInputFiles(body);
    await page.getByText('Photo', { exact: true }).click();
    await slot(page, 'The face to use').waitFor({ state: 'attached' });
    await page.getByText('Group', { exact: true }).click();
    await page.getByRole('button', { name: 'Face 0: replaced by Ada' }).waitFor();
    await page.getByRole('button', { name: 'Face 1: replaced by body.jpg' }).waitFor();
    await agree(page);
    await page.getByText('6 credits', { exact: true }).waitFor();
    await look(page, 'faces-group');
    await swap(page, 6);
    await page.getByRole('button', { name: 'Remove Ada' }).click();
    await page.getByRole('button', { name: 'Face 0: unchanged' }).waitFor();
  });

  test(
    'a person of a film gets it, and another one an upload',
    { ...BOUNDED, skip: skipWithoutVideo },
    async () => {
      await visit(page, '/');
      await useAda(page, 'The face to use');
      await page.getByText('Film', { exact: true }).click();
      await slot(page, 'The video or GIF to change').setInputFiles(await pairClip());
      await page.getByText('2 people were found.').waitFor();
      // The face that was chosen goes to the main person.
      const first = page.locator('.person').filter({ hasText: 'Person 0' });
      await first.getByRole('button', { name: 'Remove Ada' }).click();
      await slot(page, 'The face for person 0').setInputFiles(face);
      await menu(page, 'The face for person 1').click();
      await look(page, 'faces-film-choice');
      await page.getByRole('button', { name: 'Use Ada' }).click();
      await page.locator('summary').filter({ hasText: 'Advanced' }).click();
      await agree(page);
      await page.getByText('12 credits', { exact: true }).waitFor();
      await look(page, 'faces-film');
      await swap(page, 12);
    },
  );

  test('whoever has the link withdraws the consent, without an account', BOUNDED, async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('link', { name: 'Faces' }).click();
    await page.getByRole('button', { name: 'Copy link for Ada' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    link = await page.evaluate<string>('navigator.clipboard.readText()');
    const person = await rig.newPage();
    await person.goto(link);
    await person.getByRole('cell', { name: CONSENT }).waitFor();
    // The secret does not stay in the address bar.
    assert.equal(person.url(), `${rig.service.url}/withdraw`);
    await look(person, 'withdraw');
    await person.getByRole('button', { name: 'Withdraw my consent' }).click();
    await person.getByRole('button', { name: 'Yes, withdraw my consent' }).click();
    await person
      .getByText(`0 unfinished swaps were stopped, and ${skipWithoutVideo ? 4 : 6} results were deleted.`)
      .waitFor();
    await look(person, 'withdraw-done');
    await person.context().close();
  });

  test('the link says if it was used, or leads to nothing', BOUNDED, async () => {
    const person = await rig.newPage();
    await person.goto(link);
    await person.getByText(/^Your consent was withdrawn on/).waitFor();
    await look(person, 'withdraw-again');
    assert.equal(await person.getByRole('button').count(), 0);
    await person.goto('about:blank');
    await person.goto(link.slice(0, -5));
    await person.getByText('This link leads to no saved face').waitFor();
    await look(person, 'withdraw-unknown');
    await person.goto('about:blank');
    await person.goto('/withdraw');
    await person.getByText('This link is incomplete.').waitFor();
    await look(person, 'withdraw-incomplete');
    await person.context().close();
  });

  test('the list says that it is withdrawn; it cannot be used any more, only deleted', BOUNDED, async () => {
    await visit(page, '/faces');
    await page.getByText(/^Withdrawn on/).waitFor();
    await look(page, 'faces-withdrawn');
    assert.equal(await page.getByRole('button', { name: 'Use Ada' }).count(), 0);
    await page.getByRole('link', { name: 'Swap', exact: true }).click();
    await slot(page, 'The face to use').waitFor({ state: 'attached' });
    assert.equal(await menu(page, 'The face to use').count(), 0);
    await page.getByRole('link', { name: 'Faces' }).click();
    await page.getByRole('button', { name: 'Delete Ada' }).click();
    await page.getByRole('button', { name: 'Yes, delete Ada' }).click();
    await page.getByText('You have no saved face.').waitFor();
  });

  test('the account withdraws a face itself', BOUNDED, async () => {
    await page.getByLabel('Name').fill('Bob');
    await page.getByLabel('Consent').fill('Bob agreed by mail.');
    await slot(page, PHOTOS).setInputFiles(face);
    await page.getByRole('button', { name: 'Save the face' }).click();
    await page.getByRole('button', { name: 'Withdraw Bob' }).click();
    await page.getByRole('button', { name: 'Yes, withdraw Bob' }).click();
    await page.getByText('0 unfinished swaps were stopped, and 0 results were deleted.').waitFor();
    await page.getByText(/^Withdrawn on/).waitFor();
  });

  test('nothing was blocked by the Content-Security-Policy, nothing asked of another host', () => {
    assert.deepEqual(rig.complaints, []);
  });
});
