/** What a file's XMP says about how the file was made. */
export interface Provenance {
  /** URI from IPTC's digital source type vocabulary. */
  digitalSourceType: string;
  /** Program that made the file; null if the packet names none. */
  creatorTool: string | null;
}

/** IPTC's term for a composite with a part (here the face) that a trained algorithm made. */
export const COMPOSITE_WITH_TRAINED_ALGORITHMIC_MEDIA =
  'http://cv.iptc.org/newscodes/digitalsourcetype/compositeWithTrainedAlgorithmicMedia';

/** IPTC's term for media that a trained algorithm made as a whole. */
export const TRAINED_ALGORITHMIC_MEDIA =
  'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia';

/** Source types that an output can have. */
export type SwapSourceType =
  | typeof COMPOSITE_WITH_TRAINED_ALGORITHMIC_MEDIA
  | typeof TRAINED_ALGORITHMIC_MEDIA;

/** Mark of an output whose target does not say that it was generated (docs/decisions/0008). */
export const SWAP_PROVENANCE: Provenance & { digitalSourceType: SwapSourceType } = {
  digitalSourceType: COMPOSITE_WITH_TRAINED_ALGORITHMIC_MEDIA,
  creatorTool: 'guise',
};

/**
 * Longest value that is read from a packet, because anyone may have written the packet. The rest is
 * cut off.
 */
const MAX_VALUE_CHARACTERS = 256;

/**
 * Makes an XMP packet (ISO 16684-1) with IPTC's DigitalSourceType, without any of the input's
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

/** Reads the mark from any XMP packet; null if it has no DigitalSourceType. */
export function parseXmp(packet: string): Provenance | null {
  const digitalSourceType = property(packet, 'DigitalSourceType');
  return digitalSourceType === null
    ? null
    : { digitalSourceType, creatorTool: property(packet, 'CreatorTool') };
}

/** Finds a simple property, which may be an element or an attribute with any prefix. */
function property(packet: string, name: string): string | null {
  const element = new RegExp(`<[\\w.-]+:${name}>([^<]*)</`).exec(packet);
  const attribute = new RegExp(`\\s[\\w.-]+:${name}=(?:"([^"]*)"|'([^']*)')`).exec(packet);
  const value = element?.[1] ?? attribute?.[1] ?? attribute?.[2];
  return value === undefined ? null : unescapeXml(value.trim()).slice(0, MAX_VALUE_CHARACTERS);
}

/** XML entity of each character that is not allowed in text or attributes. */
const XML_ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => XML_ENTITIES[character]!);
}

function unescapeXml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
}
