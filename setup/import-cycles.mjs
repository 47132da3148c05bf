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
  /** @type {string[]} */
  const stack = []
  /** @type {string[][]} */
  const groups = []

  /** Returns the lowest number of a node on the stack that it reaches. @param {string} node */
  const visit = node => {
    const number = order.size
    order.set(node, number)
    stack.push(node)
    let lowest = number
    for (const next of graph.get(node) ?? []) {
      const known = order.get(next)
      if (known === undefined) lowest = Math.min(lowest, visit(next))
      else if (stack.includes(next)) lowest = Math.min(lowest, known)
    }
    if (lowest < number) return lowest
    const group = stack.splice(stack.indexOf(node))
    if (group.length > 1) groups.push(group.sort())
    return lowest
  }
  for (const node of graph.keys()) if (!order.has(node)) visit(node)
  return groups
}
