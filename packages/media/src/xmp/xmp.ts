/** What a result says about how it was made. */
export interface Provenance {
  /** A URI of IPTC's digital source type vocabulary. */
  digitalSourceType: string;
  /** null where the packet names no tool. */
  creatorTool: string | null;
}

/** IPTC NewsCodes: a composite in which a part, here the face, was made by a trained algorithm. */
export const COMPOSITE_WITH_TRAINED_ALGORITHMIC_MEDIA =
  'http://cv.iptc.org/newscodes/digitalsourcetype/compositeWithTrainedAlgorithmicMedia';

/** The mark of every output (docs/decisions/0008). */
export const SWAP_PROVENANCE: Provenance = {
  digitalSourceType: COMPOSITE_WITH_TRAINED_ALGORITHMIC_MEDIA,
  creatorTool: 'guise',
};

/** A packet may be from anyone; nobody needs more of what it says than this. */
const MAX_TEXT_LENGTH = 256;

/**
 * An XMP packet (ISO 16684-1) with IPTC Extension's DigitalSourceType and nothing of the input's
 * metadata.
 */
export function writeXmp({ digitalSourceType, creatorTool }: Provenance): string {
  const tool = creatorTool === null ? '' : ` xmp:CreatorTool="${escapeXml(creatorTool)}"`;
  return [
    '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>',
    '<x:xmpmeta xmlns:x="adobe:ns:meta/">',
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
    '<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/"',
    ` xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"${tool}>`,
    `<Iptc4xmpExt:DigitalSourceType>${escapeXml(digitalSourceType)}</Iptc4xmpExt:DigitalSourceType>`,
    '</rdf:Description></rdf:RDF></x:xmpmeta>',
    '<?xpacket end="r"?>',
  ].join('');
}

/** Reads the mark back from any XMP packet; null where it has no DigitalSourceType. */
export function parseXmp(packet: string): Provenance | null {
  const digitalSourceType = property(packet, 'DigitalSourceType');
  return digitalSourceType === null
    ? null
    : { digitalSourceType, creatorTool: property(packet, 'CreatorTool') };
}

/**
 * A simple property is written as an element or as an attribute; its prefix is up to the writer.
 */
function property(packet: string, name: string): string | null {
  const element = new RegExp(`<[\\w.-]+:${name}>([^<]*)</`).exec(packet);
  const attribute = new RegExp(`\\s[\\w.-]+:${name}=(?:"([^"]*)"|'([^']*)')`).exec(packet);
  const value = element?.[1] ?? attribute?.[1] ?? attribute?.[2];
  return value === undefined ? null : unescapeXml(value.trim()).slice(0, MAX_TEXT_LENGTH);
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character]!);
}

function unescapeXml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
}
