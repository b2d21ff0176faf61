import { isMadeByTrainedAlgorithm, type Verification } from '@guise/contract/ai-tasks/verification.ts';
import type { C2paVerdict } from '@guise/media/provenance/c2pa-report.ts';
import type { SignerCertificate } from '@guise/media/provenance/signing-identity.ts';
import type { FileVerdict } from '@guise/media/provenance/verify.ts';

/**
 * Describes how a file was made, in the same form for the HTTP interface and the command line.
 * @param own certificates with which this installation signs or signed
 * @param isOwnWatermark whether the watermark's id is in the records; null if nobody looked
 */
export function verificationOf(
  file: Verification['file'],
  { xmp, c2pa, watermark }: FileVerdict,
  own: readonly SignerCertificate[],
  isOwnWatermark: boolean | null,
): Verification {
  const sources = [c2pa?.digitalSourceType ?? null, xmp?.digitalSourceType ?? null];
  if (!c2pa?.valid) sources.reverse();
  const signed = c2pa?.actions.map((action) => action.digitalSourceType) ?? [];
  return {
    file,
    marked: [...sources, ...signed].some(isMadeByTrainedAlgorithm),
    digitalSourceType: sources.find((source) => source !== null) ?? null,
    xmp,
    credentials: c2pa === null ? null : credentialsOf(c2pa),
    watermark:
      watermark === null
        ? { found: false, confidence: 0 }
        : {
            found: true,
            ...watermark,
            ...(isOwnWatermark === null ? {} : { ownInstallation: isOwnWatermark }),
          },
    ownSignature:
      c2pa !== null && c2pa.trusted && own.some(({ serialNumber }) => serialNumber === c2pa.serialNumber),
  };
}

/** Makes the options for trusting the signers of this installation. */
export function trustAnchors(own: readonly SignerCertificate[]): { readonly trustAnchorsPem?: string } {
  if (own.length === 0) return {};
  return { trustAnchorsPem: own.map(({ trustAnchorPem }) => trustAnchorPem).join('\n') };
}

function credentialsOf(verdict: C2paVerdict): Verification['credentials'] {
  const { present, validationErrors, valid, trusted, signer, issuer, signedAt } = verdict;
  if (!present && validationErrors.length === 0) return null;
  const what = present ? 'credentials' : 'file';
  return {
    valid,
    trusted,
    signer,
    issuer,
    signedAt,
    generator: verdict.softwareAgent,
    digitalSourceType: verdict.digitalSourceType,
    actions: verdict.actions,
    problems: validationErrors.map((code) => (code === 'unreadable' ? `${what}.unreadable` : code)),
  };
}
