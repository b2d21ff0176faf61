import { checkCommentWidth, checkDocblockOpeners } from './check-docblocks.ts';
import { checkConstants } from './check-constants.ts';
import { checkExports } from './check-exports.ts';
import { checkFileCircles, checkFolderCircles } from './check-circles.ts';
import { checkFolders } from './check-folders.ts';
import { checkLayers, type LayerRules } from './check-layers.ts';
import { checkReferences } from './check-references.ts';
import type { Gate } from './gate.ts';

/** Lists all gates, in the order in which they report. */
export function makeGates(layers: LayerRules): Gate[] {
  return [
    {
      name: 'layers',
      rule: 'layers.json says who imports whom.',
      find: (tree) => checkLayers(layers, tree),
    },
    {
      name: 'file-circles',
      rule: 'Files do not import one another in a circle.',
      find: checkFileCircles,
    },
    {
      name: 'folder-circles',
      rule: 'Neither do folders, nor packages.',
      find: checkFolderCircles,
    },
    {
      name: 'folder-sizes',
      rule: 'A folder holds at most 30 source files.',
      find: checkFolders,
    },
    {
      name: 'docblock-openers',
      rule: 'A docblock opens with a verb or a noun.',
      find: checkDocblockOpeners,
    },
    {
      name: 'comment-width',
      rule: 'A line of a comment ends by column 100.',
      find: checkCommentWidth,
    },
    {
      name: 'constant-docblocks',
      rule: 'A constant has a docblock of its own.',
      find: checkConstants,
    },
    {
      name: 'dead-exports',
      rule: 'An export has somebody who imports it.',
      find: checkExports,
    },
    {
      name: 'references',
      rule: 'A reference leads to a file and heading that exist.',
      find: checkReferences,
    },
  ];
}
