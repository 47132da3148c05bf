/** The word-level edit distance of two texts. */
export function wordErrors(said: string, recognized: string): number {
  const [a, b] = [said, recognized].map(text => text.split(' ').filter(Boolean)) as [string[], string[]]
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (const [i, word] of a.entries()) {
    const next = [i + 1]
    for (const [j, other] of b.entries())
      next.push(Math.min((row[j] ?? 0) + (word === other ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    row = next
  }
  return row.at(-1) ?? 0
}
