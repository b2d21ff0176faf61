import { PARENT_ID } from './adopt-parent.ts';
import type { ParentStore } from './parent-store.ts';

/** What a signature states about a file. */
export interface Claim {
  /** Program that made the file. */
  generator: { name: string; version: string };
  /** URI from IPTC's digital source type vocabulary. */
  digitalSourceType: string;
}

/** Name and version of the watermark (`watermark/carrier.ts`) as an algorithm of soft bindings. */
const WATERMARK_ALGORITHM = 'dev.guise.watermark.1';

/** What a manifest says besides the claim. */
export interface Statement {
  /** What in the program made the file, such as `mesh 0.2.0`. */
  readonly madeWith?: string | undefined;
  readonly parent?: ParentStore | undefined;
  /** Id of the watermark that is in the file, in hex. */
  readonly watermark?: string | undefined;
}

/**
 * Makes the manifest's definition for c2pa-wasm. C2PA 2.x demands `c2pa.created` or `c2pa.opened`
 * as the first action.
 */
export function manifestDefinition(
  { generator, digitalSourceType }: Claim,
  { madeWith, parent, watermark }: Statement = {},
): string {
  const description = madeWith === undefined ? {} : { description: `Made with ${madeWith}.` };
  const action = { action: 'c2pa.created', digitalSourceType, softwareAgent: generator, ...description };
  const actions = parent ? actionsOnParent(action, parent) : [action];
  const marked = watermark === undefined ? [] : [{ action: 'c2pa.watermarked.bound' }];
  // `created` means that the signer states it, instead of gathering it from elsewhere.
  const assertions = [
    { label: 'c2pa.actions.v2', data: { actions: [...actions, ...marked] }, created: true },
  ];
  return JSON.stringify({
    claim_generator_info: [generator],
    assertions: watermark === undefined ? assertions : [...assertions, softBinding(watermark)],
  });
}

/** Makes the assertion by which a copy without a manifest is matched to it. */
function softBinding(watermark: string): object {
  const blocks = [{ scope: {}, value: watermark }];
  return { label: 'c2pa.soft-binding', data: { alg: WATERMARK_ALGORITHM, blocks }, created: true };
}

/**
 * Makes the actions on a target that has content credentials: it was opened and edited, and its
 * thumbnails were removed.
 */
function actionsOnParent(action: object, { redacted }: ParentStore): object[] {
  return [
    { action: 'c2pa.opened', parameters: { ingredientIds: [PARENT_ID] } },
    { ...action, action: 'c2pa.edited' },
    ...redacted.map((uri) => ({
      action: 'c2pa.redacted',
      reason: 'c2pa.PII.present',
      parameters: { redacted: uri },
    })),
  ];
}

/**
 * Settings for c2pa-wasm's builder. There is no thumbnail, which would contain the face once more,
 * and nothing is fetched from the network.
 */
export const BUILDER_SETTINGS = JSON.stringify({
  builder: { thumbnail: { enabled: false } },
  verify: { verify_after_sign: false, ocsp_fetch: false, remote_manifest_fetch: false },
});
