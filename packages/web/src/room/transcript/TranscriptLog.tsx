import { useState } from 'react'
import { useLogScroll } from '../../chat/window/use-log-scroll.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import type { JoinedState } from '../joined-state.ts'
import type { Room } from '../room.ts'
import { partialLines } from './lines.ts'
import { participantNameIn } from './participant-name.ts'
import styles from './TranscriptLog.module.css'

/** Enough for a long lesson; the export is complete. */
const MAX_SHOWN = 1_000
const MAX_ANNOUNCED = 5

/** All phrases that this page has received. The scroll position stays while reading further up. */
export function TranscriptLog({ room, joined }: { room: Room; joined: JoinedState }) {
  const { t, locale } = useTexts()
  const state = useValue(room.call.transcript)
  const [known] = useState(state.phrases.length)
  const shown = state.phrases.slice(-MAX_SHOWN)
  const scroll = useLogScroll()
  const partials = partialLines(state, participantNameIn(joined))
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
  return (
    <>
      <section
        ref={scroll.log}
        className={styles.log}
        onScroll={scroll.onScroll}
        aria-label={t('transcript.log')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls what has the focus.
        tabIndex={0}
      >
        {shown.length + partials.length === 0 && (
          <p className={styles.empty}>
            {joined.session.transcription ? t('transcript.silence') : t('transcript.off')}
          </p>
        )}
        <ol className={styles.phrases}>
          {shown.map((phrase, index) => (
            <li key={phrase.phrase_id} data-phrase={phrase.phrase_id}>
              {phrase.participant_id !== shown[index - 1]?.participant_id && (
                <p className={styles.head}>
                  <bdi className={styles.name}>{phrase.display_name}</bdi>
                  <time>{clock.format(phrase.at_ms)}</time>
                </p>
              )}
              <p className={styles.text} dir="auto">
                {phrase.text}
              </p>
            </li>
          ))}
          {partials.map(({ key, name, text }) => (
            <li key={key} className={styles.partial} aria-hidden="true">
              <bdi className={styles.name}>{name}</bdi> <bdi>{text}…</bdi>
            </li>
          ))}
        </ol>
      </section>
      {/* Separate from the visible log, which would also announce partial phrases. */}
      <div role="log" aria-live="polite" aria-relevant="additions" className="visually-hidden">
        {state.phrases
          .slice(known)
          .slice(-MAX_ANNOUNCED)
          .map(({ phrase_id, display_name, text }) => (
            <p key={phrase_id}>{t('transcript.announce', { name: display_name, text })}</p>
          ))}
      </div>
    </>
  )
}
