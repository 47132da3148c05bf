import type { PartnerAdministration } from './partners.ts'

interface ConferenceNamesParts {
  partners: PartnerAdministration
  /** A conference that a user made. */
  findOrdinary: (tag: string) => Promise<{ title: string } | null>
  /** Tags of the newest ones whose title or tag contains the text. */
  findOrdinaryTags: (search: string, limit: number) => Promise<string[]>
}

/** A search covers so many partner rooms and so many conferences of users, the newest ones. */
const CONFERENCES_MAX = 10_000

/** Finds the conferences of records, which have only their tags, by the names that people use. */
export class ConferenceNames {
  readonly #parts: ConferenceNamesParts

  constructor(parts: ConferenceNamesParts) {
    this.#parts = parts
  }

  async of(tag: string): Promise<{ conference_title: string | null; external_id: string | null }> {
    const { partners, findOrdinary } = this.#parts
    const room = await partners.findRoom(tag)
    const title = room ? room.title : ((await findOrdinary(tag))?.title ?? null)
    return { conference_title: title, external_id: room?.externalId ?? null }
  }

  /** The tags that a query selects; undefined: all. */
  async select(query: { conference?: string; search?: string }): Promise<readonly string[] | undefined> {
    if (query.conference) return [query.conference]
    const search = query.search?.trim()
    if (!search) return undefined
    const { partners, findOrdinaryTags } = this.#parts
    const found = await Promise.all([
      partners.findTags(search, CONFERENCES_MAX),
      findOrdinaryTags(search, CONFERENCES_MAX),
    ])
    // Records stay when their conference was deleted.
    return [...new Set([...found.flat(), search])]
  }
}
