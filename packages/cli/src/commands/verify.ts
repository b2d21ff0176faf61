import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Verification } from '@guise/contract/ai-tasks/verification.ts';
import { mediaFormatList } from '@guise/contract/ai-tasks/form.ts';
import { VERIFY_FORM } from '@guise/contract/ai-tasks/forms.ts';
import { readMediaType } from '@guise/media/provenance/media-type.ts';
import { verifyFileIsolated } from '@guise/media/provenance/verify-isolated.ts';
import { canCarryCredentials } from '@guise/media/provenance/verify-credentials.ts';
import { COMPOSITE_WITH_TRAINED_ALGORITHMIC_MEDIA, TRAINED_ALGORITHMIC_MEDIA } from '@guise/media/xmp/xmp.ts';
import { loadConfig } from '@guise/server/config/config.ts';
import { trustAnchors, verificationOf } from '@guise/server/intake/verification.ts';
import { readOwnCertificates } from '@guise/server/signing/own-certificates.ts';
import { printResult } from '../console/print.ts';
import { requireReadable } from '../setup/output-file.ts';
import { sha256Of } from '../setup/watermark.ts';
import { withWorkspace } from '../setup/workspace.ts';

/** Exit code for a file whose credentials are missing or invalid. */
const FAILED_EXIT_CODE = 1;

export async function verify(file: string, options: { readonly json?: true }): Promise<void> {
  await requireReadable(file);
  const contentType = await readMediaType(file);
  if (contentType === null) {
    throw new Error(`${file} is not of type ${mediaFormatList(VERIFY_FORM.fields[0]!.formats)}.`);
  }
  const own = await readOwnCertificates(loadConfig(), null);
  const [verdict, sha256] = await withWorkspace(null, async ({ folder, stopping: signal }) => [
    await verifyFileIsolated(file, contentType, {
      ...trustAnchors(own),
      isolation: { parentFolder: folder },
      signal,
    }),
    (await sha256Of(file, signal)).toString('hex'),
  ]);
  const facts = { name: path.basename(file), contentType, bytes: (await stat(file)).size, sha256 };
  const verification = verificationOf(facts, verdict, own, null);
  printResult(options, verification, describe(file, verification));
  if (!verification.credentials?.valid) process.exitCode = FAILED_EXIT_CODE;
}

function describe(file: string, verification: Verification): string[] {
  return [
    ...describeCredentials(file, verification),
    describeMark(verification),
    describeWatermark(verification),
  ];
}

function describeMark({ xmp, credentials }: Verification): string {
  if (xmp === null) return 'XMP: says nothing about how it was made.';
  const tool = xmp.creatorTool === null ? '' : `, made with ${xmp.creatorTool}`;
  const worth = credentials?.valid ? '' : ' No signature vouches for that: anyone can write it.';
  return `XMP: says ${sourceOf(xmp.digitalSourceType)}${tool}.${worth}`;
}

function describeWatermark({ watermark: { found, id, confidence } }: Verification): string {
  return found
    ? `Watermark: found, with the id ${id}, ${Math.round(100 * confidence)} % clear. It was made with guise.`
    : 'Watermark: none was found.';
}

function describeCredentials(file: string, verification: Verification): string[] {
  const { credentials } = verification;
  if (credentials === null) {
    return canCarryCredentials(verification.file.contentType)
      ? [`${file}: no content credentials.`]
      : [`${file}: this type of file cannot carry content credentials.`];
  }
  const { problems, digitalSourceType, generator, signer } = credentials;
  if (problems.includes('file.unreadable')) return [`${file}: too damaged to be checked.`];
  if (!credentials.valid) return [`${file}: NOT INTACT. ${describeFault(problems)}`];
  return [
    `${file}: intact. Nothing in it has changed since it was signed.`,
    `Says: ${digitalSourceType === null ? 'nothing about its source' : sourceOf(digitalSourceType)}` +
      `${generator === null ? '' : `, made with ${generator}`}.`,
    describeSigner(signer, verification),
  ];
}

function describeSigner(signer: string | null, { ownSignature, credentials }: Verification): string {
  if (ownSignature) return `Signed by: ${signer}, this installation's own certificate.`;
  return credentials!.trusted
    ? `Signed by: ${signer}, with a certificate of the authority that issued this installation's certificate.`
    : `Signed by: "${signer}", as its certificate says. This installation does not know the certificate; anyone can make one with this name.`;
}

function describeFault(problems: readonly string[]): string {
  const codes = problems.join(', ');
  if (problems.some((code) => /^assertion\.\w+Hash\.mismatch/.test(code)))
    return `It was changed after it was signed (${codes}).`;
  if (problems.includes('credentials.unreadable')) return 'Its content credentials are damaged.';
  return `Its content credentials are not valid (${codes}).`;
}

function sourceOf(digitalSourceType: string): string {
  if (digitalSourceType === TRAINED_ALGORITHMIC_MEDIA) return 'made by a trained model';
  return digitalSourceType === COMPOSITE_WITH_TRAINED_ALGORITHMIC_MEDIA
    ? 'a composite with parts made by a trained model'
    : digitalSourceType;
}
