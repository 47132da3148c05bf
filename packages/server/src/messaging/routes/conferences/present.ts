import type { ConferenceView, OrdinaryEntry, OwnConferenceView } from '@lectern/protocol'
import type { ConferenceSummary } from '../../../hooks.ts'
import type { OrdinaryConference } from '../../directory/ports.ts'

/** A conference that its plain link opens. */
export const presentConference = (summary: ConferenceSummary & { entry: OrdinaryEntry }): ConferenceView => ({
  result: 200,
  tag: summary.tag,
  title: summary.title,
  starts_at: summary.startsAt,
  ends_at: summary.endsAt,
  live: summary.live,
  ...(summary.participants && { participants: summary.participants }),
  ...(summary.kind === 'partner' && { ui_profile: 'partner_videoroom' as const }),
  entry: summary.entry,
  ...(summary.isForCall && { purpose: 'call' as const }),
  ...(summary.recording && { recording: { mode: summary.recording } }),
  ...(summary.page && { page: summary.page }),
})

/** The view of the owner. */
export const presentOwn = (
  { tag, title, createdAtMs, entry }: OrdinaryConference,
  live: boolean,
  publicUrl: string,
): OwnConferenceView => ({
  tag,
  title,
  entry,
  created_at_ms: createdAtMs,
  live,
  join_url: `${publicUrl}/conferences/${tag}`,
})
