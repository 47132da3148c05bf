import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import { useModeratorTerm } from '../moderator-term.ts'
import styles from './NoticeList.module.css'
import type { Notices } from './notices.ts'
import type { RoomEvent } from './room-events.ts'

/** Announced to screen readers politely; nothing takes the focus. */
export function NoticeList({ notices }: { notices: Notices }) {
  const write = useEventText()
  return (
    <div role="status" className={styles.notices}>
      {useValue(notices).map(({ id, event }) => (
        <p key={id} className={styles.notice}>
          {write(event)}
        </p>
      ))}
    </div>
  )
}

function useEventText(): (news: RoomEvent) => string {
  const { t } = useTexts()
  const moderator = useModeratorTerm()
  return news => {
    if (news.is === 'replaced') return t('device.replaced', { gone: news.gone, now: news.now })
    if ('name' in news) return t(`room.${news.is}`, { name: news.name })
    if (news.is === 'serviceRefused') return t(`room.refused.${news.why}`, moderator)
    if (news.is !== 'muted') return t(`room.${news.is}`)
    const { source, by } = news
    return by === null
      ? t(`room.mutedBySomebody.${source}`, moderator)
      : t(`room.mutedBy.${source}`, { name: by })
  }
}
