import type { Kysely } from 'kysely'
import type { MainSchema } from '../../platform/db/schema.ts'

/** The lock of transactions that use `forgetSpeech`: no event about a transcript is stored meanwhile. */
export const SPEECH_LOCK = 'partner events'

/** Transcripts of one query: their texts are long. */
const AT_ONCE = 100

/**
 * Removes what was said in transcripts, which this transaction has removed, from their events. The events stay, so that no
 * number is missing (rule DELETE-2). Call it with `SPEECH_LOCK`.
 */
export async function forgetSpeech(
  db: Kysely<MainSchema>,
  removed: readonly { job_id: string; conference_tag: string }[],
): Promise<void> {
  for (let i = 0; i < removed.length; i += AT_ONCE) await forgetSome(db, removed.slice(i, i + AT_ONCE))
}

async function forgetSome(
  db: Kysely<MainSchema>,
  removed: readonly { job_id: string; conference_tag: string }[],
): Promise<void> {
  const events = await db
    .selectFrom('partner_events')
    .select(['id', 'body'])
    .where('tag', 'in', [...new Set(removed.map(each => each.conference_tag))])
    .where('type', '=', 'transcription.ready')
    .where(
      'subject',
      'in',
      removed.map(each => `job:${each.job_id}`),
    )
    .execute()
  for (const { id, body } of events)
    await db
      .updateTable('partner_events')
      .set({ body: withoutSpeech(body) })
      .where('id', '=', id)
      .execute()
}

function withoutSpeech(body: string): string {
  const event = JSON.parse(body)
  return JSON.stringify({
    ...event,
    data: { transcription: { ...event.data.transcription, text: '', segments: [] } },
  })
}
