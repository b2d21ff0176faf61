import { blobOfBytes, loadC2pa } from './c2pa-module.ts';
import { verdictOf } from './c2pa-report.ts';
import { createManifestSigner } from './manifest-signer.ts';
import { readerSettings } from './reader-settings.ts';
import { signStill } from './sign-still.ts';
import { PIXEL_PNG } from './stand-in.ts';
import { SigningIdentityError, type SigningIdentity } from './signing-identity.ts';

/**
 * Signs one pixel and reads the signature as other programs will. An operator's certificate that
 * violates C2PA's profile (key usage, key identifiers, signature algorithms) fails here instead of
 * at the first result.
 *
 * Takes 100 ms, mostly for loading c2pa-wasm.
 * @throws SigningIdentityError with C2PA's codes for the errors
 */
export async function checkSigningIdentity(identity: SigningIdentity): Promise<void> {
  let errors: string[];
  try {
    const claim = {
      generator: { name: 'guise', version: '0' },
      digitalSourceType: 'http://c2pa.org/digitalsourcetype/empty',
    };
    const signer = createManifestSigner(identity, claim);
    const signed = Buffer.concat(await signStill(PIXEL_PNG, 'image/png', signer));
    errors = await readBack(signed, identity);
  } catch (cause) {
    throw new SigningIdentityError('certificate', 'The certificate cannot be used for content credentials.', {
      cause,
    });
  }
  if (errors.length === 0) return;
  throw new SigningIdentityError(
    'certificate',
    `The certificate cannot be used for content credentials: ${errors.join(', ')}.${hintFor(errors)}`,
  );
}

/** Returns advice about errors that have one usual cause. */
function hintFor(errors: readonly string[]): string {
  return errors.includes('signingCredential.untrusted')
    ? " Put the authority's certificate after the signer's, in the same file."
    : '';
}

async function readBack(signed: Uint8Array, identity: SigningIdentity): Promise<string[]> {
  const { WasmReader } = await loadC2pa();
  const settings = readerSettings(identity.trustAnchorPem);
  using reader = await WasmReader.fromBlob('image/png', blobOfBytes(signed), settings);
  const { trusted, validationErrors } = verdictOf(reader.json());
  return trusted || validationErrors.length > 0 ? validationErrors : ['signingCredential.untrusted'];
}
