import { printResult } from '../../console/print.ts';
import { networkStore } from '../../setup/chosen-networks.ts';

/** Deletes a network that the operator had added. */
export async function removeModel(id: string, options: { readonly json?: true }): Promise<void> {
  const store = networkStore();
  const removed = await store.remove(id);
  printResult(options, { removed: removed.id }, [`Removed ${removed.id}.`]);
}
