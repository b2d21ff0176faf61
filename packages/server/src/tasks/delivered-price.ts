import type { WorkOrder } from './task.ts';

/**
 * What is paid of the credits held: the share of the outputs delivered. Whole, because what is held is a whole price
 * times the outputs planned.
 */
export function deliveredPrice(work: WorkOrder, heldCredits: number, deliveredOutputs: number): number {
  const planned = plannedOutputs(work);
  return planned === 0 ? 0 : (heldCredits / planned) * Math.min(deliveredOutputs, planned);
}

function plannedOutputs(work: WorkOrder): number {
  switch (work.kind) {
    case 'swap-image':
    case 'swap-group':
    case 'swap-video':
    case 'swap-gif':
      return 1;
    case 'swap-batch':
      return work.items.length;
    case 'detect-faces':
      return 0;
  }
}
