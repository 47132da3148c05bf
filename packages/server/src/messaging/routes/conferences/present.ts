import type { ConferenceView, OrdinaryEntry, OwnConferenceView } from '@lectern/protocol'
import type { ConferenceSummary } from '../../../hooks.ts'
import { toUtc } from '../../directory/planned-time.ts'
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
  { tag, title, createdAtMs, entry, planned }: OrdinaryConference,
  live: boolean,
  publicUrl: string,
): OwnConferenceView => ({
  tag,
  title,
  entry: entry as OrdinaryEntry, // a closed one has no owner who could see it
  starts_at: toUtc(planned?.startsAtMs),
  ends_at: toUtc(planned?.endsAtMs),
  created_at_ms: createdAtMs,
  live,
  join_url: `${publicUrl}/conferences/${tag}`,
})
