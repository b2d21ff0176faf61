import { ACCEPTED_PURPOSES } from './signing-identity.ts';

/**
 * Makes the settings with which c2pa-wasm reads: no network, and certificates for every purpose
 * that C2PA allows (the default is only `emailProtection`).
 * @param trustAnchorsPem certificates of trusted signers; null if no signer is trusted
 */
export function readerSettings(trustAnchorsPem: string | null): string {
  return JSON.stringify({
    verify: { ocsp_fetch: false, remote_manifest_fetch: false },
    trust: {
      trust_config: Object.keys(ACCEPTED_PURPOSES).join('\n'),
      ...(trustAnchorsPem !== null && { trust_anchors: trustAnchorsPem }),
    },
  });
}
