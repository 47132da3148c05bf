import type { PartnerAdministration } from './partners.ts'

interface ConferenceNamesParts {
  partners: PartnerAdministration
  /** A conference that a user made. */
  findOrdinary: (tag: string) => Promise<{ title: string } | null>
}

/** A search covers so many conferences, the newest ones. */
const CONFERENCES_MAX = 20

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
    const rooms = await this.#parts.partners.findRooms(search, CONFERENCES_MAX)
    return [...new Set([...rooms.map(({ tag }) => tag), search])]
  }
}

/** A page of the rows of some conferences. Each list is read in the order of its index. */
export async function mergePages<Row>(
  tags: readonly string[] | undefined,
  limit: number,
  list: (tag?: string) => Promise<Row[]>,
  compare: (a: Row, b: Row) => number,
): Promise<Row[]> {
  if (!tags) return list()
  return (await Promise.all(tags.map(tag => list(tag)))).flat().sort(compare).slice(0, limit)
}
