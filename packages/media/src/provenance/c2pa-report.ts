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
  /** Organisation that the signer's certificate names. */
  issuer: string | null;
  /** Of the signer's certificate, decimal. */
  serialNumber: string | null;
  /**
   * When a time stamp authority saw the signature, as the file has it; null without such a stamp.
   */
  signedAt: string | null;
  digitalSourceType: string | null;
  /** Name and version, such as `guise/0.1.0`. */
  softwareAgent: string | null;
  /** What the signer says was done, in order. */
  actions: C2paAction[];
  /**
   * C2PA's codes of what is wrong, such as `assertion.dataHash.mismatch`; `unreadable` for damaged
   * bytes.
   */
  validationErrors: string[];
}

export interface C2paAction {
  /** C2PA's name, such as `c2pa.created`. */
  action: string;
  digitalSourceType: string | null;
  softwareAgent: string | null;
  /** As the file has it. */
  when: string | null;
}

export const NO_CREDENTIALS: Readonly<C2paVerdict> = Object.freeze({
  present: false,
  valid: false,
  trusted: false,
  signer: null,
  issuer: null,
  serialNumber: null,
  signedAt: null,
  digitalSourceType: null,
  softwareAgent: null,
  actions: [],
  validationErrors: [],
});

/** A signer that is not believed is told by `trusted`; it does not make the credentials wrong. */
const UNTRUSTED = 'signingCredential.untrusted';
/** Everything in a report comes from the file; nobody needs more of it than this. */
const MAX_TEXT_LENGTH = 256;
const MAX_ERRORS = 32;
const MAX_ACTIONS = 32;

type Json = Record<string, unknown>;

/** @param json c2pa-wasm's report of a manifest store that it could read */
export function verdictOf(json: string): C2paVerdict {
  const report = record(JSON.parse(json));
  const manifest = record(record(report.manifests)[String(report.active_manifest)]);
  const signature = record(manifest.signature_info);
  const actions = actionsOf(manifest);
  // The action that says where the picture is from: the first with a source type.
  const madeBy = actions.find((action) => action.digitalSourceType !== null) ?? actions[0];
  const state = report.validation_state;
  const codes = list(report.validation_status).map((each) => text(record(each).code) ?? 'unknown');
  return {
    present: true,
    valid: state === 'Valid' || state === 'Trusted',
    trusted: state === 'Trusted',
    signer: text(signature.common_name) ?? text(signature.issuer),
    issuer: text(signature.issuer),
    serialNumber: text(signature.cert_serial_number),
    signedAt: text(signature.time),
    digitalSourceType: madeBy?.digitalSourceType ?? null,
    softwareAgent: madeBy?.softwareAgent ?? agentName(list(manifest.claim_generator_info)[0]),
    actions: actions.slice(0, MAX_ACTIONS),
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

function actionsOf(manifest: Json): C2paAction[] {
  return list(manifest.assertions)
    .map(record)
    .filter((assertion) => text(assertion.label)?.startsWith('c2pa.actions'))
    .flatMap((assertion) => list(record(assertion.data).actions))
    .map(record)
    .map((each) => ({
      action: text(each.action) ?? 'unknown',
      digitalSourceType: text(each.digitalSourceType),
      softwareAgent: agentName(each.softwareAgent),
      when: text(each.when),
    }));
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
