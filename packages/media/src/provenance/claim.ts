/** What a signature states about a file. */
export interface Claim {
  /** Program that made the file. */
  generator: { name: string; version: string };
  /** URI from IPTC's digital source type vocabulary. */
  digitalSourceType: string;
}

/**
 * Makes the manifest's definition for c2pa-wasm. C2PA 2.x demands `c2pa.created` or `c2pa.opened`
 * as the first action. `opened` would put the input into the file, but a result must not reveal its
 * input.
 * @param madeWith what in the program made the file, such as `mesh 0.2.0`
 */
export function manifestDefinition({ generator, digitalSourceType }: Claim, madeWith?: string): string {
  const description = madeWith === undefined ? {} : { description: `Made with ${madeWith}.` };
  const action = { action: 'c2pa.created', digitalSourceType, softwareAgent: generator, ...description };
  return JSON.stringify({
    claim_generator_info: [generator],
    // `created` means that the signer states it, instead of gathering it from elsewhere.
    assertions: [{ label: 'c2pa.actions.v2', data: { actions: [action] }, created: true }],
  });
}

/**
 * Settings for c2pa-wasm's builder. There is no thumbnail, which would contain the face once more,
 * and nothing is fetched from the network.
 */
export const BUILDER_SETTINGS = JSON.stringify({
  builder: { thumbnail: { enabled: false } },
  verify: { verify_after_sign: false, ocsp_fetch: false, remote_manifest_fetch: false },
});
