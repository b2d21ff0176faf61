/** Arrows of a graph: from each node to the nodes that it needs. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Groups nodes that reach one another (Tarjan 1972, "Depth-first search and linear graph
 * algorithms").
 * Returns the groups of two or more nodes, that is, all circles.
 */
export function stronglyConnected(graph: Graph): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();
  const groups: string[][] = [];

  function visit(node: string): void {
    order.set(node, order.size);
    lowest.set(node, order.get(node)!);
    stack.push(node);
    onStack.add(node);
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) visit(next);
      if (onStack.has(next)) lowest.set(node, Math.min(lowest.get(node)!, lowest.get(next)!));
    }
    if (lowest.get(node) !== order.get(node)) return;
    const group = stack.splice(stack.indexOf(node));
    for (const each of group) onStack.delete(each);
    if (group.length > 1) groups.push(group.sort());
  }

  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return groups;
}
