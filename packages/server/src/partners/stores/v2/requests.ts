import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { MainSchema } from '../../../platform/db/schema.ts'

export interface KeyedRequest {
  serviceAccount: string
  key: string
  /** Identifies address and body, after `aboutRoom`. */
  fingerprint: string
}

/** The prefix of the fingerprints of requests about a room, or one person of it: their answers are deleted with them. */
export function aboutRoom(clientId: number, externalId: string, person?: string): string {
  const short = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)
  return `${short(`${clientId} ${externalId}`)}.${person === undefined ? '' : `${short(person)}.`}`
}

export type EarlierRequest =
  | { is: 'none' }
  | { is: 'running'; fingerprint: string }
  | { is: 'answered'; fingerprint: string; status: number; body: string }

export type RequestStore = ReturnType<typeof requestStore>

/** Answers to requests with an Idempotency-Key. */
export function requestStore(db: Kysely<MainSchema>) {
  return {
    aboutRoom,
    /**
     * Begins a request, and gives the earlier one with that key. One from before `abandonedMs` that has no answer was
     * interrupted, and one from before `expiredMs` is forgotten.
     */
    begin: async (
      { serviceAccount, key, fingerprint }: KeyedRequest,
      { nowMs, abandonedMs, expiredMs }: { nowMs: number; abandonedMs: number; expiredMs: number },
    ): Promise<EarlierRequest> => {
      const row = { fingerprint, status: null, body: '', created_at_ms: nowMs }
      const begun = await db
        .insertInto('partner_requests')
        .values({ service_account: serviceAccount, key, ...row })
        .onConflict(conflict =>
          conflict
            .columns(['service_account', 'key'])
            .doUpdateSet(row)
            .where(({ or, and, eb }) =>
              or([
                eb('partner_requests.created_at_ms', '<', expiredMs),
                and([
                  eb('partner_requests.status', 'is', null),
                  eb('partner_requests.created_at_ms', '<', abandonedMs),
                  eb('partner_requests.fingerprint', '=', fingerprint),
                ]),
              ]),
            ),
        )
        .returning('key')
        .executeTakeFirst()
      if (begun) return { is: 'none' }
      const earlier = await db
        .selectFrom('partner_requests')
        .selectAll()
        .where('service_account', '=', serviceAccount)
        .where('key', '=', key)
        .executeTakeFirst()
      if (!earlier) return { is: 'running', fingerprint } // it has failed right now
      return earlier.status === null
        ? { is: 'running', fingerprint: earlier.fingerprint }
        : { is: 'answered', fingerprint: earlier.fingerprint, status: earlier.status, body: earlier.body }
    },
    finish: async ({ serviceAccount, key }: KeyedRequest, answer: { status: number; body: string }) => {
      await db
        .updateTable('partner_requests')
        .set(answer)
        .where('service_account', '=', serviceAccount)
        .where('key', '=', key)
        .execute()
    },
    /** Forgets the request, so that it may be made again. */
    forget: async ({ serviceAccount, key }: KeyedRequest) => {
      await db
        .deleteFrom('partner_requests')
        .where('service_account', '=', serviceAccount)
        .where('key', '=', key)
        .execute()
    },
    /** Answers to requests about a person of a room, which have a name and a link. */
    forgetPerson: async (clientId: number, externalId: string, person: string) => {
      const about = `${aboutRoom(clientId, externalId, person)}%`
      await db.deleteFrom('partner_requests').where('fingerprint', 'like', about).execute()
    },
    sweep: async (beforeMs: number) => {
      await db.deleteFrom('partner_requests').where('created_at_ms', '<', beforeMs).execute()
    },
  }
}
