import { useTexts } from '../../texts/use-texts.ts'
import { NamedText } from '../../ui/NamedText.tsx'
import { useValue } from '../../use-value.ts'
import { useModeratorTerm } from '../moderator-term.ts'
import { EMOJI } from '../reactions/emoji.ts'
import type { Room } from '../room.ts'
import styles from './NoticeList.module.css'
import type { RoomEvent } from './room-events.ts'

/** Announced to screen readers politely; nothing takes the focus. */
export function NoticeList({ room: { call, notices } }: { room: Room }) {
  const { t } = useTexts()
  const write = useEventText()
  return (
    <div role="status" className={styles.notices}>
      {useValue(notices).map(({ id, event }) => (
        <p key={id} className={styles.notice} title={write(event)}>
          {'name' in event ? (
            <NamedText text={name => write({ ...event, name })} name={event.name} wraps />
          ) : (
            write(event)
          )}
          {event.is === 'removed' && event.isByMe && (
            <button
              type="button"
              className={styles.undo}
              onClick={() => {
                // After a failure the person is still in the list of those who were removed.
                void call.actions.readmit(event.userId).catch(() => {})
                notices.dismiss(id)
              }}
            >
              {t('people.undo')}
            </button>
          )}
        </p>
      ))}
    </div>
  )
}

function useEventText(): (event: RoomEvent) => string {
  const { t } = useTexts()
  const moderator = useModeratorTerm()
  return event => {
    if (event.is === 'replaced')
      return t('device.replaced', { previous: event.previous, current: event.current })
    if (event.is === 'reacted') return `${event.by} ${EMOJI[event.reaction]}`
    if (event.is === 'removed')
      return event.isByMe
        ? t('people.youRemoved', { name: event.name })
        : t('people.wasRemoved', { name: event.name })
    if ('name' in event) return t(`room.${event.is}`, { name: event.name })
    if (event.is === 'serviceRefused') return t(`room.refused.${event.reason}`, moderator)
    if (event.is === 'spotlit' || event.is === 'spotlightEnded') return t(`moderation.${event.is}`)
    if (event.is === 'permitted') return t(`moderation.permitted.${event.source}`)
    if (event.is === 'forbidden') return t(`moderation.forbidden.${event.source}`, moderator)
    if (event.is !== 'muted') return t(`room.${event.is}`, moderator)
    const { source, by } = event
    return by === null
      ? t(`room.mutedBySomebody.${source}`, moderator)
      : t(`room.mutedBy.${source}`, { name: by })
  }
}
