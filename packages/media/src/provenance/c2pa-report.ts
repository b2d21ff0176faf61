/** What a file's content credentials say, and whether they are valid. */
export interface C2paVerdict {
  /**
   * Whether the file has credentials. Also false for a file that is too damaged to tell;
   * `validationErrors` distinguishes these cases.
   */
  present: boolean;
  /** Whether the signature is valid and every byte of the file is as it was signed. */
  valid: boolean;
  /** Whether the credentials are valid and this installation trusts their signer. */
  trusted: boolean;
  /** Common name in the signer's certificate, or its organisation if it has none. */
  signer: string | null;
  /** Organisation in the signer's certificate. */
  issuer: string | null;
  /** Serial number of the signer's certificate, in decimal. */
  serialNumber: string | null;
  /**
   * Time at which a time stamp authority saw the signature, as written in the file; null without a
   * time stamp.
   */
  signedAt: string | null;
  digitalSourceType: string | null;
  /** Name and version, such as `guise/0.1.0`. */
  softwareAgent: string | null;
  /** Actions that the signer states, in order. */
  actions: C2paAction[];
  /**
   * C2PA's codes for errors, such as `assertion.dataHash.mismatch`; `unreadable` for damaged bytes.
   */
  validationErrors: string[];
}

/** One action that the signer says was done. */
export interface C2paAction {
  /** C2PA's name, such as `c2pa.created`. */
  action: string;
  digitalSourceType: string | null;
  softwareAgent: string | null;
  /** Time of the action, as written in the file. */
  when: string | null;
}

/** Verdict on a file without credentials. */
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

/**
 * C2PA's code for an untrusted signer, which is not an error of the credentials, because `trusted`
 * reports it.
 */
const UNTRUSTED_SIGNER_CODE = 'signingCredential.untrusted';

/** Longest text that is taken from a report, because all of it comes from the file. */
const MAX_TEXT_CHARACTERS = 256;

/** Largest number of error codes that are taken from a report. */
const MAX_ERRORS = 32;

/** Largest number of actions that are taken from a report. */
const MAX_ACTIONS = 32;

type Json = Record<string, unknown>;

/**
 * Makes the verdict on a file whose credentials c2pa-wasm could read.
 * @param json its report on the manifest store
 */
export function verdictOf(json: string): C2paVerdict {
  const report = record(JSON.parse(json));
  const manifest = record(record(report.manifests)[String(report.active_manifest)]);
  const signature = record(manifest.signature_info);
  const actions = actionsOf(manifest);
  // The first action with a source type says how the picture was made.
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
    validationErrors: [...new Set(codes)]
      .filter((code) => code !== UNTRUSTED_SIGNER_CODE)
      .slice(0, MAX_ERRORS),
  };
}

/**
 * Makes the verdict on a file whose credentials c2pa-wasm could not read.
 * @param reason its error as text
 */
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

/**
 * Reads the name of a program, which is text in version 1 of the assertion and a record in version
 * 2.
 */
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
  return typeof value === 'string' && value !== '' ? value.slice(0, MAX_TEXT_CHARACTERS) : null;
}
