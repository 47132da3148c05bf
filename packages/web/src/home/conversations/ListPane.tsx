import { MessagesSquare, Search, SquarePen } from 'lucide-react'
import { useDeferredValue, useEffect, useRef, useState } from 'react'
import { useAccountView } from '../../account-connection/use-connection.ts'
import { homePath } from '../../address.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { HeaderButton } from '../../ui/HeaderButton.tsx'
import { useValue } from '../../use-value.ts'
import { useMessaging } from '../messaging/use-messaging.ts'
import { LastRecordings, Overview } from '../overview/Overview.tsx'
import { ConnectionBanner } from '../shell/ConnectionBanner.tsx'
import { PageHeader } from '../shell/PageHeader.tsx'
import { PhoneMenu } from '../shell/PhoneMenu.tsx'
import { usePhone } from '../shell/use-phone.ts'
import { useScrollPlace } from '../shell/use-scroll-place.ts'
import { ConversationRows } from './ConversationRows.tsx'
import styles from './ListPane.module.css'
import { NewConversationDialog } from './NewConversationDialog.tsx'
import { Requests } from './Requests.tsx'

/** All conversations: requests first, then the newest. */
export function ListPane({ openChatId }: { openChatId: string | undefined }) {
  const { t } = useTexts()
  const [isStarting, setStarting] = useState(false)
  const [query, setQuery] = useState('')
  const searched = useDeferredValue(query.trim())
  const { list } = useMessaging()
  const { conversations, hasMore, isLoading, hasFailed } = useValue(list)
  const isEmpty = conversations?.length === 0
  const requests = useAccountView()?.contacts.filter(({ state }) => state === 'incoming') ?? []
  const isPhone = usePhone()
  const area = useScrollPlace<HTMLDivElement>(homePath('conversations'))
  useEffect(() => {
    if (searched !== '') void list.loadAll()
  }, [searched, list])

  return (
    <section className={styles.pane} aria-labelledby="list-title">
      <PageHeader title={t('home.pages.conversations')} titleId="list-title">
        <HeaderButton icon={SquarePen} label={t('conversations.start')} onClick={() => setStarting(true)} />
        <PhoneMenu />
      </PageHeader>
      {(isPhone || openChatId === undefined) && <ConnectionBanner />}
      <div className={styles.search}>
        <Search aria-hidden="true" />
        <input
          type="search"
          className={styles.field}
          aria-label={t('conversations.search')}
          placeholder={t('conversations.search')}
          value={query}
          onChange={({ target }) => setQuery(target.value)}
        />
      </div>
      <div ref={area} className={styles.scroll}>
        {/* Elsewhere it is beside the list. */}
        {isPhone && searched === '' && <Overview />}
        {searched === '' && requests.length > 0 && <Requests requests={requests} openChatId={openChatId} />}
        <ConversationRows
          conversations={conversations ?? []}
          query={searched}
          hasMore={hasMore}
          openChatId={openChatId}
          hidden={requests}
        />
        {conversations === null && <p className={styles.note}>{t('conversations.loading')}</p>}
        {isEmpty && requests.length === 0 && <Nothing onStart={() => setStarting(true)} />}
        {hasMore && (searched === '' || isLoading || hasFailed) && (
          <More isLoading={isLoading} hasFailed={hasFailed} load={list.loadMore} />
        )}
        {isPhone && searched === '' && (
          <div className={styles.below}>
            <LastRecordings />
          </div>
        )}
      </div>
      {isStarting && <NewConversationDialog onClose={() => setStarting(false)} />}
    </section>
  )
}

function Nothing({ onStart }: { onStart: () => void }) {
  const { t } = useTexts()
  return (
    <div className={styles.nothing}>
      <MessagesSquare aria-hidden="true" />
      <p className={styles.nothingTitle}>{t('conversations.none')}</p>
      <p>{t('conversations.noneText')}</p>
      <Button onClick={onStart}>{t('conversations.start')}</Button>
    </div>
  )
}

/** Loads older conversations when it comes into view, or by a click. */
function More({
  isLoading,
  hasFailed,
  load,
}: {
  isLoading: boolean
  hasFailed: boolean
  load: () => unknown
}) {
  const { t } = useTexts()
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!end.current || isLoading || hasFailed) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && load())
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [isLoading, hasFailed, load])
  return (
    <div ref={end} className={styles.more}>
      <Button secondary busy={isLoading} onClick={() => void load()}>
        {isLoading ? t('conversations.loading') : t('conversations.more')}
      </Button>
    </div>
  )
}
