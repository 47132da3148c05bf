import type { OrdinaryEntry, OwnConferenceView } from '@lectern/protocol'

/** A conference as its owner sees it. */
export interface OwnConference {
  tag: string
  title: string
  createdAt: number
  live: boolean
  /** The link to share. */
  link: string
  entry: OrdinaryEntry
  /** When it is planned; null: it is not. */
  startsAt: number | null
  endsAt: number | null
}

/** Null when the server would not send such a body. */
export function readOwn(body: unknown): OwnConference | null {
  if (typeof body !== 'object' || body === null) return null
  const view = body as { [K in keyof OwnConferenceView]?: unknown }
  const { tag, title, created_at_ms, live, join_url, entry, starts_at, ends_at } = view
  if (typeof tag !== 'string' || typeof title !== 'string') return null
  if (typeof created_at_ms !== 'number' || typeof join_url !== 'string') return null
  return {
    tag,
    title,
    createdAt: created_at_ms,
    live: live === true,
    link: join_url,
    entry: entry === 'lobby' ? 'lobby' : 'open',
    startsAt: readTime(starts_at),
    endsAt: readTime(ends_at),
  }
}

const readTime = (value: unknown): number | null => {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(ms) ? null : ms
}

export function readOwnList(body: unknown): OwnConference[] | null {
  const list = typeof body === 'object' && body !== null && 'conferences' in body ? body.conferences : null
  if (!Array.isArray(list)) return null
  return list.flatMap(each => readOwn(each) ?? [])
}
