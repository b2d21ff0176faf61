import { createHash } from 'node:crypto';
import { coseSign1 } from './cose.ts';
import { childOf, parseJumbf, type JumbfBox } from './jumbf.ts';
import type { SigningIdentity } from './signing-identity.ts';

/** The binding of a manifest to a file that it is embedded in: SHA-256 of everything but the manifest. */
const BINDING = 'c2pa.hash.data';

/**
 * A manifest made for one file, for another one: the hash of the media, the hash of the assertion that holds it, and
 * the signature are replaced, each by one of equal length. Nothing else in a manifest depends on the file's bytes.
 * @param bindingLabel the assertion that holds the hash
 * @param hashes SHA-256 of the media the manifest was made for, and of the media it is for now
 */
export function resignManifest(
  manifest: Uint8Array,
  hashes: { readonly from: Buffer; readonly to: Buffer },
  identity: SigningIdentity,
  bindingLabel = BINDING,
): Buffer {
  const bytes = Buffer.from(manifest);
  const active = parseJumbf(bytes).children.at(-1)!;
  const binding = childOf(childOf(active, 'c2pa.assertions'), bindingLabel);
  const oldBindingHash = hashOfBox(bytes, binding);
  replaceOnce(contentOf(bytes, binding), hashes.from, hashes.to);
  const claim = contentOf(bytes, childOf(active, 'c2pa.claim.v2'));
  replaceOnce(claim, oldBindingHash, hashOfBox(bytes, binding));
  const signature = contentOf(bytes, childOf(active, 'c2pa.signature'));
  const cose = coseSign1(identity, claim);
  if (cose.length !== signature.length) throw new Error('The signature does not fit the place kept for it.');
  signature.set(cose);
  return bytes;
}

export function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/** C2PA, hashed URIs: a reference to a box hashes what is behind its head. */
function hashOfBox(bytes: Buffer, { start, end }: JumbfBox): Buffer {
  return sha256(bytes.subarray(start + 8, end));
}

/** A view into `bytes`. */
function contentOf(bytes: Buffer, { content, label }: JumbfBox): Buffer {
  if (!content) throw new Error(`The manifest's ${label} is empty.`);
  return bytes.subarray(content.start, content.end);
}

function replaceOnce(bytes: Buffer, old: Buffer, replacement: Buffer): void {
  const at = bytes.indexOf(old);
  if (at < 0 || bytes.includes(old, at + 1)) throw new Error('The manifest is not laid out as expected.');
  bytes.set(replacement, at);
}
