import { ACCEPTED_PURPOSES } from './signing-identity.ts';

/**
 * How c2pa-wasm reads: no network, whatever the file says, and certificates for all purposes that
 * C2PA allows (it takes `emailProtection` alone otherwise).
 * @param trustAnchorsPem whose certificates are believed; null: nobody's
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
