/** What is signed about a file. */
export interface Claim {
  /** The program that made it. */
  generator: { name: string; version: string };
  /** A URI of IPTC's vocabulary. */
  digitalSourceType: string;
}

/**
 * The manifest as c2pa-wasm takes it. C2PA 2.x, actions: the first action is `c2pa.created` or
 * `c2pa.opened`; the latter needs the input inside the file, as an ingredient, which a result does
 * not give away.
 */
export function manifestDefinition({ generator, digitalSourceType }: Claim): string {
  const action = { action: 'c2pa.created', digitalSourceType, softwareAgent: generator };
  return JSON.stringify({
    claim_generator_info: [generator],
    // `created`: said by the signer, not gathered from elsewhere.
    assertions: [{ label: 'c2pa.actions.v2', data: { actions: [action] }, created: true }],
  });
}

/**
 * Without a thumbnail, which would hold the face once more; nothing is fetched from the network.
 */
export const BUILDER_SETTINGS = JSON.stringify({
  builder: { thumbnail: { enabled: false } },
  verify: { verify_after_sign: false, ocsp_fetch: false, remote_manifest_fetch: false },
});
