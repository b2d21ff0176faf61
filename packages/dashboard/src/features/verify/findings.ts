import type { Verification } from '@guise/client';

/** One thing that a verification found out, in plain sentences. */
export interface Finding {
  /** `good`: it is proven; `bad`: something is wrong; `open`: it proves nothing. */
  readonly tone: 'good' | 'bad' | 'open';
  readonly title: string;
  readonly text: string;
}

type Credentials = NonNullable<Verification['credentials']>;

/** Digital source types of IPTC in words, by the end of their URI. */
const SOURCES: Readonly<Record<string, string>> = {
  compositeWithTrainedAlgorithmicMedia: 'a composite with parts made by a trained algorithm (AI)',
  trainedAlgorithmicMedia: 'made by a trained algorithm (AI)',
  compositeSynthetic: 'a composite with synthetic parts',
  digitalCapture: 'taken with a camera',
};

/** Lists what a verification found out, the most certain first. */
export function findingsOf(verification: Verification): Finding[] {
  return [...signatureFindings(verification), xmpFinding(verification), watermarkFinding(verification)];
}

function signatureFindings({ credentials, ownSignature }: Verification): Finding[] {
  if (credentials === null) {
    return [
      {
        tone: 'open',
        title: 'Not signed',
        text: 'No signature shows who made the file, or whether it was changed.',
      },
    ];
  }
  if (!credentials.valid) return [faultFinding(credentials)];
  const findings: Finding[] = [
    { tone: 'good', title: 'Intact', text: 'Nothing in the file has changed since it was signed.' },
    signerFinding(credentials, ownSignature),
  ];
  const { digitalSourceType, generator } = credentials;
  if (digitalSourceType === null) return findings;
  const text = `The signer says: ${inWords(digitalSourceType)}${madeWith(generator)}.`;
  return [...findings, { tone: 'open', title: 'How it was made', text }];
}

function faultFinding({ problems }: Credentials): Finding {
  if (problems.includes('file.unreadable')) {
    return {
      tone: 'bad',
      title: 'Too damaged to check',
      text: 'The file is too damaged to look for a signature in it.',
    };
  }
  if (problems.some((code) => /^assertion\.\w+Hash\.mismatch/.test(code))) {
    return {
      tone: 'bad',
      title: 'Changed since it was signed',
      text: 'The file is not the one that was signed. So its signature proves nothing about it.',
    };
  }
  if (problems.includes('credentials.unreadable')) {
    return { tone: 'bad', title: 'Damaged signature', text: 'Its signature is damaged and proves nothing.' };
  }
  return {
    tone: 'bad',
    title: 'Invalid signature',
    text: `Its signature proves nothing. The faults: ${problems.join(', ')}.`,
  };
}

function signerFinding({ trusted, signer, signedAt }: Credentials, isOwn: boolean): Finding {
  const when = signedAt === null ? '' : ` A time stamp authority saw the signature at ${signedAt}.`;
  if (isOwn) {
    return {
      tone: 'good',
      title: 'Signed by this installation',
      text: `Its certificate names "${signer}".${when}`,
    };
  }
  if (trusted) {
    return {
      tone: 'good',
      title: 'Signed by a known signer',
      text: `"${signer}" has a certificate of the authority that issued the one of this installation.${when}`,
    };
  }
  return {
    tone: 'open',
    title: 'Signed by an unknown signer',
    text: `Its certificate names "${signer}", but this installation does not know the certificate. Anyone can make one with this name.${when}`,
  };
}

function xmpFinding({ xmp }: Verification): Finding {
  if (xmp === null) {
    return {
      tone: 'open',
      title: 'No note in its XMP',
      text: 'The metadata of the file (XMP) says nothing about how it was made.',
    };
  }
  return {
    tone: 'open',
    title: 'A note in its XMP',
    text: `The metadata of the file says: ${inWords(xmp.digitalSourceType)}${madeWith(xmp.creatorTool)}. Anyone can write such a note.`,
  };
}

function watermarkFinding({ watermark }: Verification): Finding {
  const { found, confidence, id, ownInstallation } = watermark;
  if (!found) {
    return { tone: 'open', title: 'No watermark', text: 'No invisible watermark of guise was found.' };
  }
  const whose = ownInstallation ? ' This installation put it in.' : '';
  return {
    tone: ownInstallation ? 'good' : 'open',
    title: 'Watermark of guise',
    text: `The file has an invisible watermark: it was made with guise.${whose} It is ${Math.round(100 * confidence)} % clear. Its id is ${id}.`,
  };
}

function inWords(digitalSourceType: string): string {
  return SOURCES[digitalSourceType.split('/').at(-1)!] ?? digitalSourceType;
}

function madeWith(program: string | null): string {
  return program === null ? '' : `, made with ${program}`;
}
