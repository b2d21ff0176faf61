import { childOf, type JumbfBox, parseJumbf, withoutChildren } from './jumbf.ts';

/** Content credentials of a target, as the result's credentials will carry them. */
export interface ParentStore {
  /** Manifests one after the other, without thumbnails. Their bytes are opaque. */
  readonly manifests: Buffer;
  /** Label of the target's own manifest, the last one. */
  readonly label: string;
  /** Position of the target's own manifest in `manifests`. */
  readonly active: Place;
  /** Position of its signature. */
  readonly signature: Place;
  /** URIs of the thumbnails that were removed. */
  readonly redacted: readonly string[];
}

/** Position of a JUMBF superbox. */
type Place = Pick<JumbfBox, 'start' | 'end'>;

/** Largest manifest store that is read. A larger store counts as missing. */
export const MAX_STORE_BYTES = 512 * 1024;
/** Largest number of manifests that are taken. */
const MAX_MANIFESTS = 32;
/** Largest number of thumbnails that are removed. */
const MAX_REDACTED = 32;
/** Matches labels of manifests and assertions that need no escaping in a URI. */
const LABEL_PATTERN = /^[\w.:-]{1,128}$/;
/** Matches assertions that hold a picture (C2PA, thumbnails and embedded data). */
const PICTURE_LABEL_PATTERN = /^c2pa\.(?:thumbnail|embedded-data)\b/;
/** Boxes that a manifest may have. Any other may hold a picture that cannot be removed. */
const MANIFEST_BOXES = new Set([
  'c2pa.assertions',
  'c2pa.claim',
  'c2pa.claim.v2',
  'c2pa.signature',
  'c2pa.credentials',
]);

/**
 * Prepares a manifest store for becoming a part of another: checks the bounds of its boxes and
 * removes thumbnails, which show faces. Nothing else of it is read.
 * @param store hostile bytes
 * @throws Error for a store that is too large, damaged or unusual
 */
export function parentStoreOf(store: Uint8Array): ParentStore {
  if (store.length > MAX_STORE_BYTES) throw new Error('The manifest store is too large.');
  const bytes = Buffer.from(store);
  const root = parseJumbf(bytes);
  const labels = root.children.map(({ label }) => label);
  if (root.label !== 'c2pa' || root.content !== null || new Set(labels).size !== labels.length)
    throw new Error('Not a manifest store.');
  if (labels.length === 0 || labels.length > MAX_MANIFESTS)
    throw new Error('The store has an unusual number of manifests.');
  const redacted: string[] = [];
  const manifests = root.children.map((manifest) => {
    requireUsual(manifest);
    const assertions = childOf(manifest, 'c2pa.assertions');
    const pictures = assertions.children.filter(({ label }) => PICTURE_LABEL_PATTERN.test(label));
    redacted.push(...pictures.map(({ label }) => assertionUri(manifest, label)));
    return withoutChildren(bytes, [manifest, assertions], pictures);
  });
  if (redacted.length > MAX_REDACTED) throw new Error('The store has too many thumbnails.');
  const joined = Buffer.concat(manifests);
  const active = parseJumbf(joined, joined.length - manifests.at(-1)!.length);
  return {
    manifests: joined,
    label: active.label,
    active,
    signature: childOf(active, 'c2pa.signature'),
    redacted,
  };
}

function requireUsual({ label, children, content }: JumbfBox): void {
  const isUsual = LABEL_PATTERN.test(label) && content === null;
  if (!isUsual || !children.every((child) => MANIFEST_BOXES.has(child.label)))
    throw new Error('The store has an unusual manifest.');
}

function assertionUri(manifest: JumbfBox, label: string): string {
  if (!LABEL_PATTERN.test(label)) throw new Error('The store has an unusual assertion.');
  return `self#jumbf=/c2pa/${manifest.label}/c2pa.assertions/${label}`;
}
