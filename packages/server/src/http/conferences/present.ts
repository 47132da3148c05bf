import type { ConferenceView, OwnConferenceView } from '@lectern/protocol'
import type { OrdinaryConference } from '../../directory/ports.ts'
import type { ConferenceSummary } from '../../hooks.ts'

export const presentConference = (summary: ConferenceSummary): ConferenceView => ({
  result: 200,
  tag: summary.tag,
  title: summary.title,
  starts_at: summary.startsAt,
  ends_at: summary.endsAt,
  live: summary.live,
  ...(summary.kind === 'partner' && { ui_profile: 'partner_videoroom' as const }),
})

/** As its owner sees it. */
export const presentOwn = (
  { tag, title, createdAtMs }: OrdinaryConference,
  live: boolean,
  publicUrl: string,
): OwnConferenceView => ({
  tag,
  title,
  created_at_ms: createdAtMs,
  live,
  join_url: `${publicUrl}/conferences/${tag}`,
})
