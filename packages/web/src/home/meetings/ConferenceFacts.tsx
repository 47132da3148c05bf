import type { MouseEvent } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { describeDistance, describeWhen } from '../../time/format.ts'
import { useServerTime } from '../../time/use-server-time.ts'
import styles from './ConferenceFacts.module.css'
import type { OwnConference } from './own-conference.ts'

interface Props {
  conference: OwnConference
  onOpen: () => void
}

/** Title and time of a meeting. The title is a real link, so that it can be opened in a new tab and copied. */
export function ConferenceFacts({
  conference: { title, link, live, createdAt, startsAt, endsAt },
  onOpen,
}: Props) {
  const { t, locale } = useTexts()
  const now = useServerTime()
  const when = describeWhen(startsAt, endsAt, now, { locale })
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    onOpen()
  }
  return (
    <div className={styles.facts}>
      <p className={styles.title}>
        <a href={link} className={styles.link} onClick={open} dir="auto">
          {title}
        </a>
      </p>
      <p className={styles.fact}>
        {live && <span className={styles.live}>{t('status.live')}</span>}
        <span>
          {when?.brief ?? t('meetings.createdAt', { when: describeDistance(createdAt, now, { locale }) })}
        </span>
      </p>
    </div>
  )
}
