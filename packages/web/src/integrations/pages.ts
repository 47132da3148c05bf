/** For lists that people read. */
export const newestFirst = { order: 'desc' } as const

/** Reads a page of a list of version 2, whose cursors are numbers. */
export const pageOf =
  <Name extends string, Row>(name: Name) =>
  (
    body: { [Key in Name]: readonly Row[] } & { next: number | null },
  ): {
    rows: readonly Row[]
    next: string | null
  } => ({ rows: body[name], next: body.next === null ? null : String(body.next) })
