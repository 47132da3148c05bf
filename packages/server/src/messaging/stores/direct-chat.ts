import { type RawBuilder, sql } from 'kysely'

/** The conversation of two accounts, as directChat() names it, where at least one of them differs from row to row. */
export const directChatOf = (one: RawBuilder<unknown>, other: RawBuilder<unknown>) => sql<string>`
  CASE WHEN ${one} < ${other}
  THEN 'direct:' || ${one} || '-' || ${other}
  ELSE 'direct:' || ${other} || '-' || ${one} END`
