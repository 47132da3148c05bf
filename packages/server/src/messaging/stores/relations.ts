import type { Kysely } from 'kysely'
import { preparedInTransaction } from '../../platform/db/prepared.ts'
import type { MainSchema } from '../../platform/db/schema.ts'
import type { DecideRelation, RefusalCode, Relation, RelationCounts, StoredContactState } from '../ports.ts'

type Db = Kysely<MainSchema>

/** Locks the contacts of these accounts, which are counted before they change. */
export const relationLocks = (userIds: readonly number[]): string[] => userIds.map(id => `relations ${id}`)

const findPair = preparedInTransaction((db: Db, userId: number, otherId: number) =>
  db
    .selectFrom('contacts')
    .select(['user_id', 'state', 'sent'])
    .where(where =>
      where.or([
        where.and([where('user_id', '=', userId), where('contact_id', '=', otherId)]),
        where.and([where('user_id', '=', otherId), where('contact_id', '=', userId)]),
      ]),
    ),
)

const toRelation = (row: { state: string; sent: number } | undefined): Relation | null =>
  row ? { state: row.state as StoredContactState, sent: row.sent } : null

/** Applies a decision about two accounts inside of a transaction; gives the refusal instead if that is the decision. */
export async function changeRelations(
  db: Db,
  userId: number,
  otherId: number,
  decide: DecideRelation,
): Promise<{ haveStatesChanged: boolean } | RefusalCode> {
  const rows = await findPair(db, userId, otherId)
  const own = toRelation(rows.find(row => row.user_id === userId))
  const other = toRelation(rows.find(row => row.user_id === otherId))
  const decision = await decide({ own, other }, async () => ({
    own: await countRelations(db, userId),
    other: await countRelations(db, otherId),
  }))
  if (decision.is === 'refused') return decision.code
  const { changes } = decision
  if (changes.own !== undefined) await save(db, userId, otherId, changes.own)
  if (changes.other !== undefined) await save(db, otherId, userId, changes.other)
  const hasChanged = (before: Relation | null, after: Relation | null | undefined) =>
    after !== undefined && after?.state !== before?.state
  return { haveStatesChanged: hasChanged(own, changes.own) || hasChanged(other, changes.other) }
}

async function countRelations(db: Db, userId: number): Promise<RelationCounts> {
  const rows = await db
    .selectFrom('contacts')
    .select(['state', query => query.fn.countAll<number>().as('count')])
    .where('user_id', '=', userId)
    .groupBy('state')
    .execute()
  const count = (state: StoredContactState) => Number(rows.find(row => row.state === state)?.count ?? 0)
  const outgoing = count('outgoing')
  return { own: count('contact') + outgoing + count('blocked'), outgoing, incoming: count('incoming') }
}

async function save(db: Db, userId: number, contactId: number, relation: Relation | null): Promise<void> {
  if (relation === null) {
    await db
      .deleteFrom('contacts')
      .where('user_id', '=', userId)
      .where('contact_id', '=', contactId)
      .execute()
    return
  }
  const { state, sent } = relation
  await db
    .insertInto('contacts')
    .values({ user_id: userId, contact_id: contactId, state, sent })
    .onConflict(conflict => conflict.columns(['user_id', 'contact_id']).doUpdateSet({ state, sent }))
    .execute()
}
