import { open, type FileHandle } from 'node:fs/promises';
import { IMAGE_FORMATS } from '@guise/media/image/formats.ts';
import { sniffImage, SNIFF_BYTES } from '@guise/media/image/sniff.ts';
import type { C2paVerdict } from '@guise/media/provenance/c2pa-report.ts';
import { readTrustAnchor, SigningIdentityError } from '@guise/media/provenance/signing-identity.ts';
import { signingFilesIn } from '@guise/media/provenance/certificate.ts';
import { verifyFile, type FileVerdict } from '@guise/media/provenance/verify.ts';
import { COMPOSITE_WITH_TRAINED_ALGORITHMIC_MEDIA, type Provenance } from '@guise/media/provenance/xmp.ts';
import { loadConfig } from '@guise/server/config/config.ts';
import { dataDirLayout } from '@guise/server/config/data-dir.ts';
import { printResult } from '../print.ts';
import { requireReadable } from '../with-engine.ts';

const FAILED_EXIT_CODE = 1;

export async function verify(file: string, options: { readonly json?: true }): Promise<void> {
  await requireReadable(file);
  const contentType = await contentTypeOf(file);
  const trustAnchorsPem = await ownTrustAnchor();
  const verdict = await verifyFile(file, contentType, trustAnchorsPem === null ? {} : { trustAnchorsPem });
  printResult(options, { file, contentType, ...verdict }, describe(file, verdict));
  if (!verdict.c2pa?.valid) process.exitCode = FAILED_EXIT_CODE;
}

async function contentTypeOf(file: string): Promise<string> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0);
    const format = sniffImage(buffer.subarray(0, bytesRead));
    if (format !== null) return IMAGE_FORMATS[format].contentType;
  } finally {
    await handle?.close();
  }
  throw new Error(`${file} is not a PNG, JPEG, WebP, GIF, HEIF or AVIF picture.`);
}

/** This installation's own certificate, where it has one by now; looking makes none. */
async function ownTrustAnchor(): Promise<string | null> {
  const { signing, dataDir } = loadConfig();
  try {
    const { certificatePath } = signing ?? signingFilesIn(dataDirLayout(dataDir).signing);
    return await readTrustAnchor(certificatePath);
  } catch (error) {
    if (signing === null && error instanceof SigningIdentityError) return null;
    throw error;
  }
}

function describe(file: string, { xmp, c2pa }: FileVerdict): string[] {
  return [...describeCredentials(file, c2pa), describeMark(xmp, c2pa?.valid === true)];
}

function describeMark(xmp: Provenance | null, isSigned: boolean): string {
  if (xmp === null) return 'XMP: says nothing about how it was made.';
  const tool = xmp.creatorTool === null ? '' : `, made with ${xmp.creatorTool}`;
  const worth = isSigned ? '' : ' No signature vouches for that: anyone can write it.';
  return `XMP: says ${sourceOf(xmp.digitalSourceType)}${tool}.${worth}`;
}

function describeCredentials(file: string, c2pa: C2paVerdict | null): string[] {
  if (c2pa === null) return [`${file}: this type of file cannot carry content credentials.`];
  if (!c2pa.present) {
    const damaged = c2pa.validationErrors.length > 0;
    return [`${file}: ${damaged ? 'too damaged to be checked' : 'no content credentials'}.`];
  }
  if (!c2pa.valid) return [`${file}: NOT INTACT. ${describeFault(c2pa.validationErrors)}`];
  return [
    `${file}: intact. Nothing in it has changed since it was signed.`,
    `Says: ${c2pa.digitalSourceType === null ? 'nothing about its source' : sourceOf(c2pa.digitalSourceType)}` +
      `${c2pa.softwareAgent === null ? '' : `, made with ${c2pa.softwareAgent}`}.`,
    c2pa.trusted
      ? `Signed by: ${c2pa.signer}, this installation's own certificate.`
      : `Signed by: "${c2pa.signer}", in its own words. This installation does not know the certificate; anyone can make one by that name.`,
  ];
}

function describeFault(errors: readonly string[]): string {
  const codes = errors.join(', ');
  if (errors.some((code) => /^assertion\.\w+Hash\.mismatch/.test(code)))
    return `It was changed after it was signed (${codes}).`;
  if (errors.includes('unreadable')) return 'Its content credentials are damaged.';
  return `Its content credentials do not hold (${codes}).`;
}

function sourceOf(digitalSourceType: string): string {
  return digitalSourceType === COMPOSITE_WITH_TRAINED_ALGORITHMIC_MEDIA
    ? 'a composite with parts made by a trained model'
    : digitalSourceType;
}
