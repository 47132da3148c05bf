type Json = unknown

const oddValues: Json[] = [
  null,
  true,
  '',
  'x',
  'r0',
  'video/rtx',
  'video/VP9',
  'audio/opus',
  'L3T3',
  'S3T3_KEY',
  'L9T9',
  'é'.repeat(40),
  'a'.repeat(5000),
  0,
  1,
  -1,
  96,
  97,
  127,
  255,
  2 ** 31,
  2 ** 32,
  1e300,
  0.5,
  [],
  [1],
  {},
  { ssrc: 0 },
  { ssrc: 1 },
]

/** A copy in which a few values, at any depth, are replaced, removed or duplicated. */
export function mutate(value: object, random: () => number): object {
  const copy = structuredClone(value)
  const times = 1 + Math.floor(random() * 3)
  for (let i = 0; i < times; i++) mutateOnce(copy, random)
  return copy
}

function mutateOnce(within: object, random: () => number): void {
  const any = <T>(list: T[]): T | undefined => list[Math.floor(random() * list.length)]
  const key = any(Object.keys(within))
  if (key === undefined) return
  const holder = within as Record<string, Json>
  const child = holder[key]
  if (typeof child === 'object' && child !== null && random() < 0.8) {
    mutateOnce(child, random)
    return
  }
  const way = any(['remove', 'double', 'replace', 'replace', 'replace'])
  if (way === 'remove') delete holder[key]
  else if (way === 'double' && Array.isArray(within)) within.push(structuredClone(child))
  else holder[key] = structuredClone(any(oddValues))
}
