import type { Mail } from '../mail/mailer.ts';

/**
 * Advice in mails that another person may have caused. All mails are plain text, and each link is
 * on its own line.
 */
const IGNORE_ADVICE = 'If this was not you, ignore this mail: nothing happens unless the link is opened.';

export function verificationMail(to: string, link: string): Mail {
  return {
    to,
    subject: 'Confirm your email address',
    text: `Welcome to guise. Confirm that this address is yours and choose your password, within a day:\n\n${link}\n\n${IGNORE_ADVICE}\n`,
  };
}

export function changeMail(to: string, link: string): Mail {
  return {
    to,
    subject: 'Confirm your new email address',
    text: `Please confirm this address for your guise account. Sign in to that account and open this link within an hour:\n\n${link}\n\n${IGNORE_ADVICE}\n`,
  };
}

/** Makes the mail to the old address that reports the change of the address. */
export function changedMail(to: string, newEmail: string): Mail {
  return {
    to,
    subject: 'Your email address was changed',
    text: `Your guise account now has the address ${newEmail}. If this was not you, write to whoever runs your guise.\n`,
  };
}

export function resetMail(to: string, link: string): Mail {
  return {
    to,
    subject: 'Set a new password',
    text: `Set a new password for your guise account, within an hour:\n\n${link}\n\n${IGNORE_ADVICE}\n`,
  };
}

/** Makes the mail that reports a changed password and explains how to undo the change. */
export function passwordChangedMail(to: string, publicUrl: string): Mail {
  return {
    to,
    subject: 'Your password was changed',
    text: `The password of your guise account was changed, and its other sessions were ended. If this was not you, set a new password now:\n\n${publicUrl}/forgot-password\n\nand write to whoever runs your guise.\n`,
  };
}

/**
 * Makes the mail to an address that already has an account and was used to sign up again, probably
 * by its owner.
 */
export function existingAccountMail(to: string, publicUrl: string): Mail {
  return {
    to,
    subject: 'You already have an account',
    text: `Somebody tried to sign up to guise with this address, which has an account already. Sign in, or ask for a new password there:\n\n${publicUrl}/sign-in\n\nIf this was not you, there is nothing to do.\n`,
  };
}

export function invitationMail(to: string, link: string): Mail {
  return {
    to,
    subject: 'You are invited to guise',
    text: `You are invited to make a guise account, within two weeks:\n\n${link}\n`,
  };
}
