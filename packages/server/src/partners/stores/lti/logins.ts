import type { Kysely, Selectable } from 'kysely'
import type { MainSchema } from '../../../platform/db/schema.ts'
import type { LtiTables } from '../../../platform/db/tables/lti.ts'

/** A launch that has begun. */
export interface Login {
  platformId: string
  nonce: string
  bindingHash: string
  storageTarget: string | null
  /** JSON; null before the platform has answered. */
  claims: string | null
}

const toLogin = (row: Selectable<LtiTables['lti_logins']>): Login => ({
  platformId: row.platform_id,
  nonce: row.nonce,
  bindingHash: row.binding_hash,
  storageTarget: row.storage_target,
  claims: row.claims,
})

export type LoginStore = ReturnType<typeof loginStore>

/** Each state is used once for the answer of the platform, and once to enter. */
export function loginStore(db: Kysely<MainSchema>) {
  return {
    /**
     * Stores a launch. At `max` stored launches, the oldest ones that no platform has answered make room: anybody can
     * begin launches, and many begun for nothing keep nobody else out.
     */
    add: async (
      stateHash: string,
      login: Login,
      { expiresAtMs, max }: { expiresAtMs: number; max: number },
    ): Promise<void> => {
      const { count } = await db
        .selectFrom('lti_logins')
        .select(eb => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      const surplus = Number(count) - max + 1
      if (surplus > 0)
        await db
          .deleteFrom('lti_logins')
          .where('state_hash', 'in', eb =>
            eb
              .selectFrom('lti_logins')
              .select('state_hash')
              .where('claims', 'is', null)
              .orderBy('expires_at_ms')
              .limit(surplus),
          )
          .execute()
      await db
        .insertInto('lti_logins')
        .values({
          state_hash: stateHash,
          platform_id: login.platformId,
          nonce: login.nonce,
          binding_hash: login.bindingHash,
          storage_target: login.storageTarget,
          claims: login.claims,
          expires_at_ms: expiresAtMs,
        })
        .execute()
    },
    find: async (stateHash: string, nowMs: number): Promise<Login | null> => {
      const row = await db
        .selectFrom('lti_logins')
        .selectAll()
        .where('state_hash', '=', stateHash)
        .where('expires_at_ms', '>', nowMs)
        .executeTakeFirst()
      return row ? toLogin(row) : null
    },
    /** False when the platform has answered before. */
    answer: async (stateHash: string, claims: string): Promise<boolean> => {
      const { numUpdatedRows } = await db
        .updateTable('lti_logins')
        .set({ claims })
        .where('state_hash', '=', stateHash)
        .where('claims', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    /** False when it was used before. */
    use: async (stateHash: string): Promise<boolean> => {
      const { numDeletedRows } = await db
        .deleteFrom('lti_logins')
        .where('state_hash', '=', stateHash)
        .executeTakeFirst()
      return numDeletedRows === 1n
    },
    /** Expired launches are removed because they have names of people. */
    removeExpired: async (nowMs: number): Promise<void> => {
      await db.deleteFrom('lti_logins').where('expires_at_ms', '<=', nowMs).execute()
    },
  }
}
