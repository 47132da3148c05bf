/**
 * Finds the groups of nodes that reach each other (Tarjan's algorithm), each sorted. A node that reaches only itself is
 * no group.
 *
 * @param {Map<string, Iterable<string>>} graph the direct successors of each node
 * @returns {string[][]}
 */
export function findCycles(graph) {
  /** @type {Map<string, number>} */
  const order = new Map()
  /** @type {Map<string, number>} */
  const lowest = new Map()
  /** @type {string[]} */
  const stack = []
  /** @type {string[][]} */
  const groups = []

  /** @param {string} node */
  const visit = node => {
    order.set(node, order.size)
    lowest.set(node, order.get(node))
    stack.push(node)
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) visit(next)
      if (stack.includes(next)) lowest.set(node, Math.min(lowest.get(node), lowest.get(next)))
    }
    if (lowest.get(node) !== order.get(node)) return
    const group = stack.splice(stack.indexOf(node))
    if (group.length > 1) groups.push(group.sort())
  }
  for (const node of graph.keys()) if (!order.has(node)) visit(node)
  return groups
}
