/** The probability of ranks at least so far apart if both samples were of one distribution (Mann–Whitney, two-sided). */
export function mannWhitney(left: readonly number[], right: readonly number[]): number {
  const all = [
    ...left.map(value => ({ value, isLeft: true })),
    ...right.map(value => ({ value, isLeft: false })),
  ].sort((a, b) => a.value - b.value)
  let rankSum = 0
  let ties = 0
  for (let from = 0; from < all.length; ) {
    let to = from + 1
    while (to < all.length && all[to]?.value === all[from]?.value) to++
    const rank = (from + to + 1) / 2 // of each of those that are equal
    rankSum += rank * all.slice(from, to).filter(({ isLeft }) => isLeft).length
    ties += (to - from) ** 3 - (to - from)
    from = to
  }
  const [n, m] = [left.length, right.length]
  const u = rankSum - (n * (n + 1)) / 2
  const variance = ((n * m) / 12) * (n + m + 1 - ties / ((n + m) * (n + m - 1)))
  const z = Math.abs(u - (n * m) / 2) / Math.sqrt(variance)
  return 2 * upperTail(z)
}

/** Of the normal distribution (Abramowitz and Stegun 26.2.17; its error is below 1e-7). */
function upperTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z)
  const factors = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429]
  const sum = factors.reduceRight((inner, factor) => (inner + factor) * t, 0)
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * sum
}
