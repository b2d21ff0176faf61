import { array, byteString, map, textString } from './cbor.ts';
import { childOf, contentOf, hashOfBox, type JumbfBox, parseJumbf, replaceOnce, spliced } from './jumbf.ts';
import type { ParentStore } from './parent-store.ts';

/** Name by which a manifest's definition refers to the ingredient. */
export const PARENT_ID = 'parent';
/** Label of the assertion about the ingredient (C2PA, ingredients). */
const INGREDIENT_LABEL = 'c2pa.ingredient.v3';
/** Length of the head of a content box. */
const BOX_HEAD_BYTES = 8;

/**
 * Puts the parent's manifests before the only manifest of a store, and completes what the manifest
 * says of its ingredient. c2pa-wasm made the manifest for an ingredient without credentials: in a
 * process that signs, it must not see hostile bytes.
 */
export function adoptParent(manifest: Buffer, parent: ParentStore): Buffer {
  let bytes = manifest;
  const old = boxesOf(bytes);
  const oldHashes = { ingredient: hashOfBox(bytes, old.ingredient), actions: hashOfBox(bytes, old.actions) };
  const redacted = [textString('redacted_assertions'), array(parent.redacted.map(textString))];
  // From the last to the first, so that places before an edit stay valid.
  const claim = contentOf(bytes, old.claim);
  const longerClaim = Buffer.concat([Buffer.of(claim[0]! + 1), claim.subarray(1), ...redacted]);
  if (parent.redacted.length > 0)
    bytes = withContent(bytes, [old.root, old.manifest], old.claim, longerClaim);
  const around = [old.root, old.manifest, old.assertions];
  bytes = withContent(bytes, around, old.ingredient, ingredientOf(parent));

  const { root, ingredient, actions, claim: newClaim } = boxesOf(bytes);
  const ingredientHash = hashOfBox(bytes, ingredient);
  replaceOnce(contentOf(bytes, actions), oldHashes.ingredient, ingredientHash);
  replaceOnce(contentOf(bytes, newClaim), oldHashes.ingredient, ingredientHash);
  replaceOnce(contentOf(bytes, newClaim), oldHashes.actions, hashOfBox(bytes, actions));
  const first = root.children[0]!.start;
  return spliced(bytes, [root], { start: first, end: first }, parent.manifests);
}

function boxesOf(
  bytes: Buffer,
): Record<'root' | 'manifest' | 'assertions' | 'ingredient' | 'actions' | 'claim', JumbfBox> {
  const root = parseJumbf(bytes);
  const manifest = root.children.at(-1)!;
  const assertions = childOf(manifest, 'c2pa.assertions');
  return {
    root,
    manifest,
    assertions,
    ingredient: childOf(assertions, INGREDIENT_LABEL),
    actions: childOf(assertions, 'c2pa.actions.v2'),
    claim: childOf(manifest, 'c2pa.claim.v2'),
  };
}

function withContent(bytes: Buffer, around: readonly JumbfBox[], box: JumbfBox, content: Buffer): Buffer {
  const { start, end } = box.content!;
  return spliced(bytes, [...around, box, { start: start - BOX_HEAD_BYTES }], { start, end }, content);
}

/**
 * Makes the assertion about the target. The engine process has verified its credentials, without
 * knowing any signer.
 */
function ingredientOf({ manifests, label, active, signature }: ParentStore): Buffer {
  const manifestUri = `self#jumbf=/c2pa/${label}`;
  const signatureUri = `${manifestUri}/c2pa.signature`;
  const status = (code: string): Buffer =>
    map([
      [textString('code'), textString(code)],
      [textString('url'), textString(signatureUri)],
    ]);
  const results = map([
    [
      textString('success'),
      array([status('claimSignature.insideValidity'), status('claimSignature.validated')]),
    ],
    [textString('informational'), array([])],
    [textString('failure'), array([status('signingCredential.untrusted')])],
  ]);
  return map([
    [textString('relationship'), textString('parentOf')],
    [textString('validationResults'), map([[textString('activeManifest'), results]])],
    [textString('activeManifest'), hashedUri(manifestUri, manifests, active)],
    [textString('claimSignature'), hashedUri(signatureUri, manifests, signature)],
  ]);
}

function hashedUri(uri: string, bytes: Buffer, place: Pick<JumbfBox, 'start' | 'end'>): Buffer {
  return map([
    [textString('url'), textString(uri)],
    [textString('alg'), textString('sha256')],
    [textString('hash'), byteString(hashOfBox(bytes, place))],
  ]);
}
