/** What a file's content credentials say, and whether they hold. */
export interface C2paVerdict {
  /** False: the file has none, or is too damaged to tell, which `validationErrors` then says. */
  present: boolean;
  /** The signature holds and the file is what was signed, to the last byte. */
  valid: boolean;
  /** Valid, and by a signer that this installation believes. */
  trusted: boolean;
  /** Common name of the signer's certificate, or the organisation where it has none. */
  signer: string | null;
  digitalSourceType: string | null;
  /** Name and version, such as `guise/0.1.0`. */
  softwareAgent: string | null;
  /** C2PA's codes of what is wrong, such as `assertion.dataHash.mismatch`; `unreadable` for damaged bytes. */
  validationErrors: string[];
}

export const NO_CREDENTIALS: Readonly<C2paVerdict> = Object.freeze({
  present: false,
  valid: false,
  trusted: false,
  signer: null,
  digitalSourceType: null,
  softwareAgent: null,
  validationErrors: [],
});

/** A signer that is not believed is told by `trusted`; it does not make the credentials wrong. */
const UNTRUSTED = 'signingCredential.untrusted';
/** Everything in a report comes from the file; nobody needs more of it than this. */
const MAX_TEXT_LENGTH = 256;
const MAX_ERRORS = 32;

type Json = Record<string, unknown>;

/** @param json c2pa-wasm's report of a manifest store that it could read */
export function verdictOf(json: string): C2paVerdict {
  const report = record(JSON.parse(json));
  const manifest = record(record(report.manifests)[String(report.active_manifest)]);
  const signature = record(manifest.signature_info);
  const action = madeBy(manifest);
  const state = report.validation_state;
  const codes = list(report.validation_status).map((each) => text(record(each).code) ?? 'unknown');
  return {
    present: true,
    valid: state === 'Valid' || state === 'Trusted',
    trusted: state === 'Trusted',
    signer: text(signature.common_name) ?? text(signature.issuer),
    digitalSourceType: text(action.digitalSourceType),
    softwareAgent: agentName(action.softwareAgent ?? list(manifest.claim_generator_info)[0]),
    validationErrors: [...new Set(codes)].filter((code) => code !== UNTRUSTED).slice(0, MAX_ERRORS),
  };
}

/** @param reason why c2pa-wasm could not read a manifest store: its error as text */
export function verdictOfFailure(reason: string): C2paVerdict {
  if (reason.includes('JumbfNotFound')) return { ...NO_CREDENTIALS };
  if (reason.includes('RemoteManifest')) return failure(true, 'manifest.inaccessible');
  return failure(!/InvalidAsset|IoError|UnsupportedType/.test(reason), 'unreadable');
}

function failure(present: boolean, code: string): C2paVerdict {
  return { ...NO_CREDENTIALS, present, validationErrors: [code] };
}

/** The action that says where the picture is from: the first with a source type. */
function madeBy(manifest: Json): Json {
  const actions = list(manifest.assertions)
    .map(record)
    .filter((assertion) => text(assertion.label)?.startsWith('c2pa.actions'))
    .flatMap((assertion) => list(record(assertion.data).actions))
    .map(record);
  return actions.find((action) => text(action.digitalSourceType) !== null) ?? actions[0] ?? {};
}

/** A plain name in version 1 of the assertion, a record in version 2. */
function agentName(agent: unknown): string | null {
  const { name, version } = record(agent);
  const parts = [text(name), text(version)].filter((part) => part !== null);
  return text(agent) ?? text(parts.join('/'));
}

function record(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, MAX_TEXT_LENGTH) : null;
}
