import { TRAINED_ALGORITHMIC_MEDIA } from '../../xmp/xmp.ts';
import { textString } from '../cbor.ts';
import { childOf, type JumbfBox, parseJumbf } from '../jumbf.ts';

/** Matches the labels of assertions that hold actions (C2PA, actions). */
const ACTIONS_LABEL_PATTERN = /^c2pa\.actions(?:\.v2)?(?:__\d+)?$/;
/** Key of an action's source type, as it is encoded. */
const SOURCE_TYPE_KEY = textString('digitalSourceType');
/** Key and value of the action that made a generated picture, as they are encoded. */
const GENERATED_ENTRY = Buffer.concat([SOURCE_TYPE_KEY, textString(TRAINED_ALGORITHMIC_MEDIA)]);
/** Relationship of an ingredient that is only a part of its picture (C2PA, ingredients). */
const PART_RELATIONSHIP = textString('componentOf');

/**
 * Returns whether content credentials say that the picture was generated as a whole. A program that
 * only converts a picture states no source type; then the credentials before its own count.
 * @param store manifest store, which may be hostile
 */
export function saysGenerated(store: Buffer): boolean {
  try {
    for (const manifest of parseJumbf(store).children.toReversed()) {
      const assertions = childOf(manifest, 'c2pa.assertions');
      const actions = assertions.children.filter(({ label }) => ACTIONS_LABEL_PATTERN.test(label));
      if (actions.some((box) => bytesOf(store, box).includes(GENERATED_ENTRY))) return true;
      if (actions.some((box) => bytesOf(store, box).includes(SOURCE_TYPE_KEY))) return false;
      if (bytesOf(store, assertions).includes(PART_RELATIONSHIP)) return false;
    }
    return false;
  } catch {
    // Damaged credentials say nothing.
    return false;
  }
}

function bytesOf(store: Buffer, { start, end }: JumbfBox): Buffer {
  return store.subarray(start, end);
}
