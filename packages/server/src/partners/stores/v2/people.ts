import type { Metadata, PersonRole } from '@lectern/protocol'
import type { Kysely, Selectable } from 'kysely'
import type { MainSchema } from '../../../platform/db/schema.ts'
import type { PartnerTables } from '../../../platform/db/tables/partner.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import type { AfterPage, Person, PersonContent } from '../../ports.ts'

const toPerson = (row: Selectable<PartnerTables['partner_people']>): Person => ({
  id: row.id,
  clientId: row.client_id,
  tag: row.tag,
  externalId: row.external_id,
  key: row.key,
  displayName: row.display_name,
  role: row.role as PersonRole,
  linkVersion: row.link_version,
  metadata: JSON.parse(row.metadata) as Metadata,
})

const toColumns = ({ displayName, role, metadata }: Partial<PersonContent>) => ({
  display_name: displayName,
  role,
  metadata: metadata && JSON.stringify(metadata),
})

export type PeopleStore = ReturnType<typeof peopleStore>

/** The people of rooms. `onLinksChange` is called when a link was replaced or removed. */
export function peopleStore(db: Kysely<MainSchema>, onLinksChange = () => {}) {
  const ofRoom = (tag: string) => db.selectFrom('partner_people').selectAll().where('tag', '=', tag)
  const find = async (tag: string, externalId: string): Promise<Person | null> => {
    const row = await ofRoom(tag).where('external_id', '=', externalId).executeTakeFirst()
    return row ? toPerson(row) : null
  }
  return {
    find,
    findByKey: async (key: string): Promise<Person | null> => {
      const row = await db.selectFrom('partner_people').selectAll().where('key', '=', key).executeTakeFirst()
      return row ? toPerson(row) : null
    },
    /** In the order in which they were added. */
    list: async (tag: string, { after, limit }: AfterPage): Promise<Person[]> =>
      (await ofRoom(tag).where('id', '>', after).orderBy('id').limit(limit).execute()).map(toPerson),
    /** For each lookup, the people of the room with these ids. */
    named: async (lookups: { tag: string; externalIds: string[] }[]): Promise<Person[][]> => {
      const ids = [...new Set(lookups.flatMap(({ externalIds }) => externalIds))]
      if (ids.length === 0) return lookups.map(() => [])
      const rows = await db
        .selectFrom('partner_people')
        .selectAll()
        .where('tag', 'in', [...new Set(lookups.map(({ tag }) => tag))])
        .where('external_id', 'in', ids)
        .execute()
      return lookups.map(({ tag, externalIds }) => {
        const wanted = new Set(externalIds)
        return rows.filter(row => row.tag === tag && wanted.has(row.external_id)).map(toPerson)
      })
    },
    /**
     * Changes only the given content, so that concurrent requests lose nothing, or adds the person with the changed content.
     * Null when the room has that many people.
     */
    save: (
      person: Omit<Person, 'id' | 'linkVersion'>,
      changes: Partial<PersonContent>,
      max: number,
    ): Promise<Person | null> =>
      inTransaction(
        db,
        async store => {
          const changed = await store
            .updateTable('partner_people')
            .set({ tag: person.tag, ...toColumns(changes) })
            .where('tag', '=', person.tag)
            .where('external_id', '=', person.externalId)
            .returningAll()
            .executeTakeFirst()
          if (changed) return toPerson(changed)
          const { count } = await store
            .selectFrom('partner_people')
            .select(eb => eb.fn.countAll<number>().as('count'))
            .where('tag', '=', person.tag)
            .executeTakeFirstOrThrow()
          if (Number(count) >= max) return null
          const { clientId: client_id, tag, externalId: external_id, key } = person
          const { displayName: display_name, role, metadata } = { ...person, ...changes }
          const row = { client_id, tag, external_id, key, link_version: 1, display_name, role }
          return toPerson(
            await store
              .insertInto('partner_people')
              .values({ ...row, metadata: JSON.stringify(metadata) })
              .returningAll()
              .executeTakeFirstOrThrow(),
          )
        },
        [`people of ${person.tag}`],
      ).then(saved => {
        onLinksChange() // a role may be another one
        return saved
      }),
    /** Replaces the link. */
    rotate: async (tag: string, externalId: string): Promise<Person | null> => {
      const row = await db
        .updateTable('partner_people')
        .set(eb => ({ link_version: eb('link_version', '+', 1) }))
        .where('tag', '=', tag)
        .where('external_id', '=', externalId)
        .returningAll()
        .executeTakeFirst()
      onLinksChange()
      return row ? toPerson(row) : null
    },
    remove: (tag: string, externalId: string): Promise<boolean> =>
      inTransaction(db, async store => {
        // Other servers learn of changed links only, so the link is replaced first.
        await store
          .updateTable('partner_people')
          .set(eb => ({ link_version: eb('link_version', '+', 1) }))
          .where('tag', '=', tag)
          .where('external_id', '=', externalId)
          .execute()
        const { numDeletedRows } = await store
          .deleteFrom('partner_people')
          .where('tag', '=', tag)
          .where('external_id', '=', externalId)
          .executeTakeFirst()
        return numDeletedRows === 1n
      }).then(isRemoved => {
        onLinksChange()
        return isRemoved
      }),
    externalIds: async (tag: string): Promise<string[]> =>
      (await db.selectFrom('partner_people').select('external_id').where('tag', '=', tag).execute()).map(
        row => row.external_id,
      ),
    /** Whether the technical user has the person in any room but that one. */
    isElsewhere: async (clientId: number, externalId: string, tag: string): Promise<boolean> => {
      const row = await db
        .selectFrom('partner_people')
        .select('id')
        .where('client_id', '=', clientId)
        .where('external_id', '=', externalId)
        .where('tag', '<>', tag)
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },
  }
}
